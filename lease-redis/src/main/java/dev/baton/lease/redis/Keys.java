// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.ConcurrentHashMap;

/** The keys of names. Those of one name have it as their hash tag, so that they lie in one slot of a cluster. */
final class Keys {
  private static final String[] PARTS = {"cfg", "hold", "held", "wait", "wlive", "slot", "wmeta"};
  private static final int HEX_DIGITS = 2;

  /** Of how many names the keys are remembered. */
  private static final int REMEMBERED = 1_000;

  private final String namespace;
  private final ConcurrentHashMap<String, Name> remembered = new ConcurrentHashMap<>();

  /** The keys of a name, as the script wants them; by the first the node of a cluster is found. */
  record Name(byte[] first, Encoded.Part all) {}

  Keys(String namespace) {
    this.namespace = namespace;
  }

  /** The keys of {@code name}. */
  Name of(String name) {
    Name keys = remembered.get(name);
    if (keys == null) {
      keys = make(name);
      if (remembered.size() >= REMEMBERED) {
        remembered.clear();
      }
      remembered.put(name, keys);
    }
    return keys;
  }

  private Name make(String name) {
    String prefix = namespace + ":{" + encode(name) + "}:";
    String[] all = new String[PARTS.length + 1];
    all[0] = Integer.toString(PARTS.length);
    for (int i = 0; i < PARTS.length; i++) {
      all[i + 1] = prefix + PARTS[i];
    }
    return new Name(all[1].getBytes(StandardCharsets.UTF_8), Encoded.Part.of(all));
  }

  /** What the configuration of every name looks like. */
  String configurations() {
    return namespace + ":{*}:cfg";
  }

  /** The name whose configuration {@code key} is. */
  String nameOf(String key) {
    return decode(key.substring(namespace.length() + 2, key.length() - "}:cfg".length()));
  }

  /** What the channels of processes begin with. */
  String channels() {
    return namespace + ":to:";
  }

  /** Braces would end the hash tag, and a tag that is empty is none. */
  static String encode(String name) {
    StringBuilder text = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '{' || c == '}' || c == '%' || c < ' ' || c == 0x7f) {
        text.append('%').append(HexFormat.of().withUpperCase().toHexDigits((byte) c));
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }

  static String decode(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream name = new ByteArrayOutputStream(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '%' && i + HEX_DIGITS < bytes.length) {
        name.write(HexFormat.fromHexDigits(text(bytes, i + 1)));
        i += HEX_DIGITS;
      } else {
        name.write(bytes[i]);
      }
    }
    return name.toString(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes, int from) {
    return new String(bytes, from, HEX_DIGITS, StandardCharsets.US_ASCII);
  }
}
