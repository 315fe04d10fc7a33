// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A map that is never changed: with one more entry it is another map, which shares almost all with this one. So a snapshot costs
 * nothing. A tree by five bits of the hash at a time, without empty places.
 */
final class PersistentMap {
  static final PersistentMap EMPTY = new PersistentMap(new Node(0, new Object[0]));

  private static final int BITS = 5;
  private static final int MASK = (1 << BITS) - 1;

  private final Node root;

  private PersistentMap(Node root) {
    this.root = root;
  }

  /** One entry. */
  static final class Entry {
    final int hash;
    final Object key;
    final @Nullable Object value;

    Entry(int hash, Object key, @Nullable Object value) {
      this.hash = hash;
      this.key = key;
      this.value = value;
    }
  }

  /** Entries, nodes, and arrays of entries whose hashes are equal, where {@code bitmap} has a bit. */
  private static final class Node {
    private final int bitmap;
    private final Object[] places;

    Node(int bitmap, Object[] places) {
      this.bitmap = bitmap;
      this.places = places;
    }

    private int index(int bit) {
      return Integer.bitCount(bitmap & (bit - 1));
    }
  }

  static PersistentMap of(Map<?, ?> map) {
    return EMPTY.plusAll(map);
  }

  private static int spread(Object key) {
    int hash = key.hashCode();
    return hash ^ (hash >>> 16);
  }

  /** The entry of {@code key}, or null. */
  @Nullable Entry find(Object key) {
    int hash = spread(key);
    Node node = root;
    for (int shift = 0; ; shift += BITS) {
      int bit = 1 << ((hash >>> shift) & MASK);
      if ((node.bitmap & bit) == 0) {
        return null;
      }
      Object place = node.places[node.index(bit)];
      if (place instanceof Entry entry) {
        return entry.hash == hash && entry.key.equals(key) ? entry : null;
      }
      if (place instanceof Entry[] equals) {
        return Arrays.stream(equals).filter(e -> e.key.equals(key)).findFirst().orElse(null);
      }
      node = (Node) place;
    }
  }

  PersistentMap plus(Object key, @Nullable Object value) {
    Objects.requireNonNull(key, "a key is null");
    return new PersistentMap(with(root, 0, new Entry(spread(key), key, value)));
  }

  PersistentMap plusAll(Map<?, ?> map) {
    PersistentMap result = this;
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      result = result.plus(entry.getKey(), entry.getValue());
    }
    return result;
  }

  private static Node with(Node node, int shift, Entry entry) {
    int bit = 1 << ((entry.hash >>> shift) & MASK);
    int index = node.index(bit);
    if ((node.bitmap & bit) != 0) {
      Object[] places = node.places.clone();
      places[index] = merged(places[index], shift + BITS, entry);
      return new Node(node.bitmap, places);
    }
    Object[] places = new Object[node.places.length + 1];
    System.arraycopy(node.places, 0, places, 0, index);
    places[index] = entry;
    System.arraycopy(node.places, index, places, index + 1, node.places.length - index);
    return new Node(node.bitmap | bit, places);
  }

  /** What stands in the place of {@code place} once {@code entry} belongs there too. */
  private static Object merged(Object place, int shift, Entry entry) {
    if (place instanceof Node node) {
      return with(node, shift, entry);
    }
    if (place instanceof Entry other) {
      if (other.hash == entry.hash) {
        return other.key.equals(entry.key) ? entry : new Entry[] {other, entry};
      }
      return with(with(new Node(0, new Object[0]), shift, other), shift, entry);
    }
    Entry[] equals = (Entry[]) place;
    if (equals[0].hash != entry.hash) {
      int bit = 1 << ((equals[0].hash >>> shift) & MASK);
      return with(new Node(bit, new Object[] {equals}), shift, entry);
    }
    for (int i = 0; i < equals.length; i++) {
      if (equals[i].key.equals(entry.key)) {
        Entry[] replaced = equals.clone();
        replaced[i] = entry;
        return replaced;
      }
    }
    Entry[] more = Arrays.copyOf(equals, equals.length + 1);
    more[equals.length] = entry;
    return more;
  }

  /** The entries, in no order. */
  Map<Object, @Nullable Object> toMap() {
    Map<Object, @Nullable Object> map = new LinkedHashMap<>();
    forEach(root, map::put);
    return map;
  }

  /** Some of its keys, that many at most: whoever shows them need not go through all. */
  List<Object> someKeys(int most) {
    List<Object> keys = new ArrayList<>();
    addKeys(root, most, keys);
    return keys;
  }

  private static void addKeys(Node node, int most, List<Object> keys) {
    for (Object place : node.places) {
      if (keys.size() >= most) {
        return;
      }
      switch (place) {
        case Entry entry -> keys.add(entry.key);
        case Entry[] equals -> Arrays.stream(equals).limit(most - keys.size()).forEach(e -> keys.add(e.key));
        default -> addKeys((Node) place, most, keys);
      }
    }
  }

  private static void forEach(Node node, BiConsumer<Object, @Nullable Object> action) {
    for (Object place : node.places) {
      switch (place) {
        case Entry entry -> action.accept(entry.key, entry.value);
        case Entry[] equals -> Arrays.stream(equals).forEach(e -> action.accept(e.key, e.value));
        default -> forEach((Node) place, action);
      }
    }
  }
}
