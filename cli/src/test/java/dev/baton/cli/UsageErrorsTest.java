// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A wrong command line: what was wrong, what is expected, and what to do. */
class UsageErrorsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          rum                          | baton: there is no command 'rum'              | Expected one of: check, run, exec, leases | Did you mean run
          frobnicate                   | baton: there is no command 'frobnicate'       | Expected one of: check, run,              | baton --help
          --versoin                    | baton: there is no option '--versoin'         | Expected one of: --help, --version.       | Did you mean --version
          leases revok export ID       | baton leases: there is no command 'revok'     | Expected one of: revoke, resize.          | Did you mean revoke
          leases --wach                | baton leases: there is no option '--wach'     | --watch, --interval                       | Did you mean --watch
          leases revoke                | baton leases revoke: NAME is missing          | Expected: baton leases revoke NAME ID     | NAME: The name.
          leases revoke a b c          | baton leases revoke: 'c' is one argument too  | Expected: NAME ID.                        | Leave it out
          leases resize export many    | baton leases resize: LIMIT is 'many'          | Expected: a whole number.                 | How many permits it has
          leases --json=maybe          | baton leases: --json is 'maybe'               | Expected: no value.                       | leave it out
          leases --interval            | baton leases: --interval needs a value        | Expected: --interval T.                   | How often
          leases --interval 2s         | baton leases: --interval is how often --watch | Expected: --watch                         | leave --interval out
          leases --interval 1s --interval 2s | baton leases: --interval is given twice | Expected: once.                           | Leave one
          exec -- true                 | baton exec: --name is missing                 | Expected: baton exec --name N COMMAND...  | --name: What is shared
          exec --nmae n -- true        | baton exec: there is no option '--nmae'       | Expected one of: --name                   | --permits, --take
          exec --take 2 --nmae=n true  | baton exec: there is no option '--nmae=n'     | Expected one of: --name                   | --permits, --take
          exec job --nmae n            | baton exec: --name is missing                 | Expected: baton exec --name N COMMAND...  | --name: What is shared
          exec --name                  | baton exec: --name needs a value              | Expected: --name N.                       | What is shared
          exec --name n                | baton exec: COMMAND is missing                | Expected: baton exec --name N COMMAND...  | COMMAND: What to run
          exec --name n --ttl soon x   | baton exec: --ttl: 'soon' is no time          | use a number and its unit                 | such as 500ms, 30s
          exec --name n --take x y     | baton exec: --take is 'x'                     | Expected: a whole number.                 | How many of the permits
          check                        | baton check: FILE.java is missing             | Expected: baton check FILE.java           | one source file
          check A.java --sedes 5       | baton check: there is no option '--sedes'     | Expected one of: --seeds, --seed          | Did you mean --seed
          help rum                     | baton: there is no command 'rum'              | Expected one of: check, run, exec, leases | Did you mean run
          completion bash              | baton completion: 'bash' is one argument too  | Expected: options only.                   | Leave it out
          """)
  void eachSaysWhatWasWrongWhatIsExpectedAndWhatToDo(String command, String wrong, String expected, String remedy) {
    var refused = InProcess.baton(command.split(" "));

    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err()).startsWith(wrong).contains(expected, remedy, "See 'baton").contains("--help'.");
    assertThat(refused.err().lines()).hasSizeLessThanOrEqualTo(5);
    assertThat(refused.out()).isEmpty();
  }
}
