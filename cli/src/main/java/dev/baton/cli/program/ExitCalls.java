// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli.program;

import java.io.ByteArrayInputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;
import java.util.Objects;

/**
 * Replaces calls of {@code System.exit} and its like, {@code System::exit} included, by calls of {@link ProgramExit}.
 *
 * <p>In the bytecode, because there is no other place left: a shutdown that has begun cannot be stopped, and the JDK has no security
 * manager any more.
 */
final class ExitCalls {
  private static final ClassDesc SYSTEM = ClassDesc.of("java.lang.System");
  private static final ClassDesc RUNTIME = ClassDesc.of("java.lang.Runtime");
  private static final ClassDesc REPLACEMENT = ProgramExit.class.describeConstable().orElseThrow();
  private static final MethodTypeDesc STATUS = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);
  private static final MethodTypeDesc RUNTIME_AND_STATUS =
      MethodTypeDesc.of(ConstantDescs.CD_void, RUNTIME, ConstantDescs.CD_int);

  private final Map<String, byte[]> classes;
  private final ClassFile classFile;

  ExitCalls(Map<String, byte[]> classes) {
    this.classes = classes;
    ClassHierarchyResolver own =
        ClassHierarchyResolver.ofResourceParsing(
            type -> {
              byte[] bytes = classes.get(binaryName(type));
              return bytes == null ? null : new ByteArrayInputStream(bytes);
            });
    ClassHierarchyResolver batons = ClassHierarchyResolver.ofResourceParsing(ExitCalls.class.getClassLoader());
    this.classFile =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(
                own.orElse(batons).orElse(ClassHierarchyResolver.defaultResolver())));
  }

  /** The class of this name, which is the same as before unless it calls one of them. */
  byte[] replaceIn(String className) {
    byte[] bytes = Objects.requireNonNull(classes.get(className));
    ClassModel model = classFile.parse(bytes);
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof MemberRefEntry member && isExit(member.owner().asSymbol(), member.name().stringValue())) {
        return classFile.transformClass(model, ClassTransform.transformingMethodBodies(ExitCalls::replace));
      }
    }
    return bytes;
  }

  private static boolean isExit(ClassDesc owner, String name) {
    return (owner.equals(SYSTEM) && name.equals("exit"))
        || (owner.equals(RUNTIME) && (name.equals("exit") || name.equals("halt")));
  }

  private static void replace(CodeBuilder code, CodeElement element) {
    switch (element) {
      case InvokeInstruction call when isExit(call.owner().asSymbol(), call.name().stringValue()) ->
          code.invokestatic(REPLACEMENT, call.name().stringValue(), replacementType(call.owner().asSymbol()));
      case InvokeDynamicInstruction call -> code.invokedynamic(replace(call));
      default -> code.with(element);
    }
  }

  private static DynamicCallSiteDesc replace(InvokeDynamicInstruction call) {
    ConstantDesc[] arguments =
        call.bootstrapArgs().stream()
            .map(
                argument ->
                    argument instanceof DirectMethodHandleDesc handle && isExit(handle.owner(), handle.methodName())
                        ? MethodHandleDesc.ofMethod(
                            DirectMethodHandleDesc.Kind.STATIC,
                            REPLACEMENT,
                            handle.methodName(),
                            replacementType(handle.owner()))
                        : argument)
            .toArray(ConstantDesc[]::new);
    return DynamicCallSiteDesc.of(call.bootstrapMethod(), call.name().stringValue(), call.typeSymbol(), arguments);
  }

  private static MethodTypeDesc replacementType(ClassDesc owner) {
    return owner.equals(SYSTEM) ? STATUS : RUNTIME_AND_STATUS;
  }

  private static String binaryName(ClassDesc type) {
    String inPackage = type.packageName();
    return (inPackage.isEmpty() ? "" : inPackage + ".") + type.displayName();
  }
}
