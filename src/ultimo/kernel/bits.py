"""What the processor does in one instruction: for the functions of `play.bits`, and to fetch memory."""

from __future__ import annotations

import platform
from typing import Any

from ultimo.kernel.jit import COMPILED, Ints
from ultimo.play.bits import count, highest, lowest, pick, select

__all__ = ["count", "either", "fetch", "has_bit_select", "highest", "lowest", "pick", "select"]


def either(first: bool, one: int, other: int) -> int:
    """The one or the other, without a branch that the processor could guess wrong."""
    return one if first else other


def fetch(words: Ints, place: int) -> None:
    """Let the processor get the memory around a place that will soon be read; the program goes on."""


def has_bit_select() -> bool:
    """Whether the processor that is compiled for can deposit bits in one instruction (BMI2)."""
    import llvmlite.binding as llvm
    from numba import config

    if platform.machine().lower() not in ("x86_64", "amd64"):
        return False
    if config.CPU_NAME is not None or config.CPU_FEATURES is not None:  # for another one than this
        return "+bmi2" in (config.CPU_FEATURES or "")
    return bool(llvm.get_host_cpu_features().get("bmi2", False))


if COMPILED:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic, lower_builtin, overload, type_callable

    WORD = ir.IntType(64)
    ZERO_NEVER = ir.Constant(ir.IntType(1), 1)

    @intrinsic
    def _popcount(typing: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), generate

    @intrinsic
    def _trailing(typing: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], ZERO_NEVER)

        return types.int64(types.int64), generate

    @intrinsic
    def _leading(typing: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctlz(arguments[0], ZERO_NEVER)

        return types.int64(types.int64), generate

    @intrinsic
    def _deposit(typing: Any, bit: Any, word: Any) -> Any:
        """Spread the low bits over the places that `word` has (pdep)."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kind = ir.FunctionType(WORD, [WORD, WORD])
            name = "llvm.x86.bmi.pdep.64"
            function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
            return builder.call(function, arguments)

        return types.int64(types.int64, types.int64), generate

    @intrinsic
    def _prefetch(typing: Any, words: Any, place: Any) -> Any:
        """Read soon, and keep it in all caches."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            address = builder.bitcast(builder.gep(array.data, [arguments[1]]), cgutils.voidptr_t)
            number = ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, number, number, number])
            function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
            builder.call(function, [address, number(0), number(3), number(1)])
            return context.get_dummy_value()

        return types.void(words, types.int64), generate

    @type_callable(either)
    def _type_either(context: Any) -> Any:
        return lambda first, one, other: types.int64

    @lower_builtin(either, types.Any, types.Any, types.Any)
    def _lower_either(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Choose, and tell the compiler not to make a branch of it."""
        kinds = types.boolean, types.int64, types.int64
        chosen = builder.select(*map(context.cast, 3 * [builder], arguments, signature.args, kinds))
        chosen.set_metadata("unpredictable", builder.module.add_metadata([]))
        return chosen

    @overload(fetch, strict=False)
    def _fetch(words: Any, place: Any) -> Any:
        return lambda words, place: _prefetch(words, place)

    @overload(count, strict=False)
    def _count(word: Any) -> Any:
        return lambda word: _popcount(word)

    @overload(lowest, strict=False)
    def _lowest(word: Any) -> Any:
        return lambda word: _trailing(word)

    @overload(highest, strict=False)
    def _highest(word: Any) -> Any:
        return lambda word: 63 - _leading(word)

    @overload(select, strict=False)
    def _select(word: Any, nth: Any) -> Any:
        return lambda word, nth: _trailing(pick(word, nth))

    if has_bit_select():

        @overload(pick, strict=False)
        def _pick(word: Any, nth: Any) -> Any:
            return lambda word, nth: _deposit(1 << nth, word)

    else:

        @overload(pick, strict=False)
        def _pick(word: Any, nth: Any) -> Any:
            def by_clearing(word: int, nth: int) -> int:
                for _ in range(nth):
                    word &= word - 1
                return word & -word

            return by_clearing
