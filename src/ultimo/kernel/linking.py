"""How compiled functions come together: what is compiled once need not be compiled again in each caller.

Left alone, numba makes a library of every function, takes the libraries of all that it calls into it, works
on the whole anew and makes machine code of it. Here a function is either a part of its callers (`Part`), of
which nobody needs machine code, or stands apart, and its callers know only its name (`set_apart`). And an
index is taken as it is, where numba asks each time whether it counts from the end.

This leans on parts of numba that are not public. `ULTIMO_LINKING=off` does without: the first compilation
takes four times as long, everything else stays the same. If a new numba breaks this module, it can go.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from llvmlite.binding import add_symbol, parse_assembly
from numba import njit, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.typing.templates import infer_global
from numba.np import arrayobj

OURS = "_ZN6ultimo"  # how the names of our functions begin when they are compiled
ENVIRONMENT = "_ZN08NumbaEnv"  # how the names of those places begin that numba fills for each function


class Part(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function that only becomes part of others."""

    def _optimize_functions(self, ll_module: Any) -> None:
        """Leave it to the next step."""
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        """Once, where numba does so twice to count fewer references: here are none."""
        passes, builder = self._codegen._module_pass_manager(loop_vectorize=False, slp_vectorize=False)
        passes.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        """Make no machine code; only the place for numba's own notes must be there."""
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        engine, module = self._codegen._engine, self._final_module
        for place in module.global_variables:
            if place.name.startswith(ENVIRONMENT) and not engine.is_symbol_defined(place.name):
                notes = parse_assembly(f'@"{place.name}" = common global ptr null')
                notes.triple, notes.data_layout = module.triple, module.data_layout
                engine.add_module(notes)
        self._finalized = True


class PartCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler, with a library of our kind."""

    def compile_extra(self, func: Callable[..., object]) -> Any:
        """Compile a function."""
        self.state.library = Part(self.state.targetctx.codegen(), func.__qualname__)
        return super().compile_extra(func)


def make_part(function: Callable[..., object], small: bool) -> None:
    """Let compiled code call a function; a small one is always put into its caller."""
    known = njit(
        error_model="numpy",
        forceinline=small,
        no_cfunc_wrapper=True,
        no_cpython_wrapper=True,
        pipeline_class=PartCompiler,
        _nrt=False,
    )(function)
    _forget_constants(known)
    _kept.append(known)
    infer_global(function, types.Dispatcher(known))


def set_apart(fast: Any) -> None:
    """Let those who call a compiled function know no more of it than its name."""
    _forget_constants(fast)
    collect_later(fast)
    compile_itself = fast.compile

    def compile_apart(signature: Any) -> Any:
        entry = compile_itself(signature)
        for argument_types, result in fast.overloads.items():
            library, name = result.library, result.fndesc.llvm_func_name
            if name not in _names:
                _names.add(name)
                _publish(fast, argument_types, name)
                library._shared_module = parse_assembly("")  # what callers take in of it: nothing
                library._reload_init = {partial(_load, fast.__module__, fast.__name__, argument_types, name)}
        return entry

    fast.compile = compile_apart


def _forget_constants(fast: Any) -> None:
    """Compile a function once for all values, where numba would do so for each that a caller writes down."""
    template = fast.get_call_template

    def general_template(args: Any, kws: Any) -> Any:
        general = {name: types.unliteral(kind) for name, kind in dict(kws).items()}
        return template([types.unliteral(kind) for kind in args], general)

    fast.get_call_template = general_template


def _load(module: str, function: str, argument_types: tuple[Any, ...], name: str) -> None:
    """Have a function ready before a caller comes out of the cache, under the name that he knows it by.

    It may have been compiled again since, and then goes by another name too.
    """
    fast = getattr(import_module(module), function)
    fast.compile(argument_types)
    _publish(fast, argument_types, name)


def _publish(fast: Any, argument_types: tuple[Any, ...], name: str) -> None:
    """Let compiled code find a function by a name."""
    result = fast.overloads[argument_types]
    add_symbol(name, result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


def collect_later(fast: Any) -> None:
    """Look for no garbage while a function is compiled: what a compiler makes mostly lives."""
    compile_itself = fast.compile

    def compile_through(signature: Any) -> Any:
        enabled = gc.isenabled()
        gc.disable()
        try:
            return compile_itself(signature)
        finally:
            if enabled:
                gc.enable()

    fast.compile = compile_through


def _counted_from_the_front(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """An index as it is in our functions, which never count from the end; in all others as numba has it."""
    if kind.signed and builder.function.name.startswith(OURS):
        return context.cast(builder, index, kind, types.intp)
    return _fix_index(context, builder, kind, index, size)


_fix_index = arrayobj.fix_integer_index
arrayobj.fix_integer_index = _counted_from_the_front

_kept: list[Any] = []  # the functions that are parts; numba holds them only weakly
_names: set[str] = set()  # of the functions that stand apart
