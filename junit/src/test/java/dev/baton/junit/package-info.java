// SPDX-License-Identifier: Apache-2.0
/** Tests that run other tests, with JUnit's own kit for that. */
package dev.baton.junit;
