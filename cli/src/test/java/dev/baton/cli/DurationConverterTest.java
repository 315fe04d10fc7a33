// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationConverterTest {
  @ParameterizedTest
  @CsvSource({"500ms, PT0.5S", "30s, PT30S", "1m, PT1M", "2h, PT2H", "PT1M30S, PT1M30S", "pt0.2s, PT0.2S", "P1D, PT24H"})
  void aTimeHasAUnitOrIsIso(String text, String time) {
    assertThat(new DurationConverter().convert(text)).isEqualTo(Duration.parse(time));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "s", "-1s", "1.5s", "1 s", "1d", "1S", "PT", "P", "PT-1S", "PT99999999999999999999S"})
  void anythingElseIsRefusedWithExamples(String text) {
    assertThatThrownBy(() -> new DurationConverter.OrZero().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContainingAll("'" + text + "' is no time", "500ms, 30s, 5m or 1h", "PT1M30S");
  }

  @ParameterizedTest
  @ValueSource(strings = {"9999999999s", "123456789012345678901234567890ms"})
  void whatIsTooLongIsToldSo(String text) {
    assertThatThrownBy(() -> new DurationConverter().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContainingAll("'" + text + "' is too long", "at most 9 digits", "a larger unit");
  }

  @Test
  void noneIsATimeOnlyWhereItMakesSense() {
    assertThat(new DurationConverter.OrZero().convert("0s")).isZero();
    assertThat(new DurationConverter.OrZero().convert("PT0S")).isZero();
    assertThatThrownBy(() -> new DurationConverter().convert("0ms"))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("'0ms' is too short: use a time longer than 0");
    assertThatThrownBy(() -> new DurationConverter().convert("PT0S")).isInstanceOf(TypeConversionException.class);
  }
}
