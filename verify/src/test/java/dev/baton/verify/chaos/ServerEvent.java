// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

/**
 * Something that was done to a name on the server.
 *
 * @param step what has the same number was done by one call of the script
 * @param id of the lease or the request, if it is about one
 * @param number a ticket, a token, a deadline or a number of permits; see {@link Kind}
 * @param permits those of a grant
 */
record ServerEvent(Kind kind, long step, String name, String id, long number, int permits) {

  enum Kind {
    /** Stands in line with a ticket. */
    ENTERED,
    /** Does not stand in line any more. */
    LEFT,
    /** Is granted, with a token. */
    GRANTED,
    /** Is kept until a deadline. */
    KEPT,
    /** Is held no more. */
    DROPPED,
    /** The server says how many permits are in use. */
    COUNTED
  }
}
