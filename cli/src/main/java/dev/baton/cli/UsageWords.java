// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is wrong with a command line, what was expected, and what to do. What commands refuse themselves has its own words. */
final class UsageWords {
  private final List<String> args;
  private final CommandSpec command;

  UsageWords(CommandLine command, String[] args) {
    this.command = command.getCommandSpec();
    this.args = List.of(args);
  }

  /** One line for what is wrong, and further ones for the rest. */
  String of(ParameterException error) {
    return switch (error) {
      case UnmatchedArgumentException unmatched -> unmatched(unmatched);
      case MissingParameterException missing -> missing(missing.getMissing().getFirst());
      case OverwrittenOptionException twice -> label(twice.getOverwritten()) + " is given twice\n  Expected: once. Leave one of them out.";
      case ParameterException other when other.getCause() instanceof TypeConversionException bad && other.getArgSpec() != null ->
          unfit(other.getArgSpec(), other.getValue(), bad);
      default -> String.valueOf(error.getMessage());
    };
  }

  private String unmatched(UnmatchedArgumentException error) {
    String first = error.getUnmatched().getFirst();
    if (error.isUnknownOption()) {
      return "there is no option '" + first + "'" + expectedOne(options()) + suggested(error);
    }
    if (command.subcommands().isEmpty()) {
      return "'" + first + "' is one argument too many\n  Expected: "
          + (arguments().isEmpty()
              ? "options only. Leave it out."
              : String.join(" ", arguments()) + ". Leave it out; what has spaces in it stands in quotes.");
    }
    return "there is no command '" + first + "'" + expectedOne(List.copyOf(command.subcommands().keySet())) + suggested(error);
  }

  private static String expectedOne(List<String> all) {
    return "\n  Expected one of: " + String.join(", ", all) + ".";
  }

  private static String suggested(UnmatchedArgumentException error) {
    List<String> near = error.getSuggestions();
    return near.isEmpty() ? "" : "\n  Did you mean " + String.join(" or ", near) + "?";
  }

  private String missing(ArgSpec argument) {
    String unknown = unknownOption();
    if (unknown != null) {
      return unmatched(new UnmatchedArgumentException(command.commandLine(), List.of(unknown)));
    }
    if (argument instanceof OptionSpec option && isGiven(option)) {
      return label(option) + " needs a value\n  Expected: " + shown(option) + ". " + about(option);
    }
    List<String> all = new ArrayList<>(List.of(command.qualifiedName()));
    command.options().stream().filter(ArgSpec::required).map(UsageWords::shown).forEach(all::add);
    all.addAll(arguments());
    return label(argument) + " is missing\n  Expected: " + String.join(" ", all) + "\n  " + label(argument) + ": " + about(argument);
  }

  /** The first option that there is not: perhaps what is missing, with a mistake in its name. Null if all that stand before arguments are known. */
  private @Nullable String unknownOption() {
    for (int i = args.indexOf(command.name()) + 1; i < args.size(); i++) {
      String arg = args.get(i);
      if (arg.equals("--") || !arg.startsWith("-")) {
        return null;
      }
      OptionSpec option = command.findOption(arg.split("=", 2)[0]);
      if (option == null) {
        return arg;
      }
      if (option.arity().max() > 0 && !arg.contains("=")) {
        i++; // its value
      }
    }
    return null;
  }

  private boolean isGiven(OptionSpec option) {
    return Arrays.stream(option.names()).anyMatch(name -> args.stream().anyMatch(arg -> arg.equals(name) || arg.startsWith(name + "=")));
  }

  private static String unfit(ArgSpec argument, String value, TypeConversionException bad) {
    Class<?> type = argument.type();
    if (type == boolean.class) {
      return label(argument) + " is '" + value + "'\n  Expected: no value. Say it, or leave it out.";
    }
    if (type == int.class || type == Integer.class || type == long.class || type == Long.class) {
      return label(argument) + " is '" + value + "'\n  Expected: a whole number. " + about(argument);
    }
    return label(argument) + ": " + bad.getMessage();
  }

  private List<String> options() {
    return command.options().stream().filter(option -> !option.hidden()).map(OptionSpec::longestName).toList();
  }

  private List<String> arguments() {
    return command.positionalParameters().stream()
        .map(argument -> argument.arity().max() > 1 || argument.isMultiValue() ? argument.paramLabel() + "..." : argument.paramLabel())
        .toList();
  }

  private static String label(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }

  private static String shown(OptionSpec option) {
    return option.longestName() + " " + option.paramLabel();
  }

  private static String about(ArgSpec argument) {
    return Arrays.stream(argument.description()).collect(joining(" "));
  }
}
