// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class KeysTest {
  private final Keys keys = new Keys("ns");

  @Test
  void everyNameIsTheOneHashTagOfItsKeysAndComesBack() {
    for (String name : List.of("a", "}", "{}", "a{b}c", "%", "%7B", "100%", "\n", "ü€😀", "a:b", " ")) {
      String[] all = keys.of(name);
      assertThat(all).hasSize(6).doesNotHaveDuplicates();
      for (String key : all) {
        String tag = key.substring(key.indexOf('{') + 1, key.indexOf('}'));
        assertThat(tag).isEqualTo(Keys.encode(name)).isNotEmpty();
      }
      assertThat(keys.nameOf(all[0])).isEqualTo(name);
    }
  }

  @Test
  void namesThatLookAlikeHaveOtherKeys() {
    assertThat(keys.of("%7B")[0]).isNotEqualTo(keys.of("{")[0]);
  }

  @Test
  void whatTheScriptWritesIsRead() {
    assertThat(Json.array("[1,\"1,2\",\"a\\\"b\\\\c\\n\\u00fc\\/\",-3]")).containsExactly("1", "1,2", "a\"b\\c\nü/", "-3");
    assertThat(Json.array("[]")).isEmpty();
  }
}
