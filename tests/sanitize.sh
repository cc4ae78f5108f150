#!/bin/sh
# Build the kernels with ASan and UBSan into build/sanitized, and run the kernel tests and
# the fuzz corpus with them.  `sh tests/sanitize.sh [pytest arguments]`; needs gcc.
#
#   SECONDS_OF_FUZZING   seconds to fuzz after the tests; 0 for none (default 30)
#   ONLY                 build only these kernels, "name_table adjacency_lines"; use the others as they are
#
# Work on a copy of the package, to leave the kernels in use alone.
set -eu
cd "$(dirname "$0")/.."
top=$PWD
python=$top/.venv/bin/python
place=${PLACE:-$top/build/sanitized}
flags="-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize=vptr"
kernels=src/whatsrelated/kernels

mkdir -p "$place"
# Copy the sources first: only changed ones are compiled again.
(cd "$top" && tar -cf - --exclude='*.so' --exclude=__pycache__ src pyproject.toml $(ls setup.py 2>/dev/null)) \
  | tar -xf - -C "$place"
cp "$top/README.md" "$top/LICENSE" "$place/"
cd "$place"
if [ ! -f $kernels/shared/_cython.c ]; then
  "$top/.venv/bin/cython" -3 --generate-shared $kernels/shared/_cython.c
fi
# The sanitizer flags must come last, after those of each kernel.
for compiler in gcc g++; do
  printf '#!/bin/sh\nexec %s "$@" %s\n' "$compiler" "$flags" > "sanitized_$compiler"
  chmod +x "sanitized_$compiler"
done
if [ -n "${ONLY:-}" ]; then
  (cd "$top" && tar -cf - $kernels/*/*.so) | tar -xf -
  for kernel in $ONLY; do
    compiled=$(ls $kernels/*/_"$kernel".*.so)
    rm "$compiled"
    ./sanitized_gcc -shared -fPIC -DPy_LIMITED_API=0x030b0000 -DCYTHON_LIMITED_API=1 \
      -I$kernels/shared -I"$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')" \
      "$(ls $kernels/*/_"$kernel".c*)" -o "$compiled" > build.log 2>&1 || { tail -n 30 build.log; exit 1; }
  done
else
CC="$place/sanitized_gcc" LDSHARED="$place/sanitized_gcc -shared" CFLAGS="-g" \
  CXX="$place/sanitized_g++" LDCXXSHARED="$place/sanitized_g++ -shared" CXXFLAGS="-g" \
  "$python" setup.py build_ext --inplace --parallel 2 \
  > build.log 2>&1 || { tail -n 30 build.log; exit 1; }
fi

runtime=$(gcc -print-file-name=libasan.so):$(gcc -print-file-name=libubsan.so):$(gcc -print-file-name=libstdc++.so)
export ASAN_OPTIONS="detect_leaks=0:abort_on_error=1:allocator_may_return_null=1:log_path=$place/asan.log"
export UBSAN_OPTIONS="print_stacktrace=1:log_path=$place/ubsan.log"
# Shadow memory takes terabytes of address space.
export RELATED_ADDRESS_SPACE=none
export PYTHONMALLOC=malloc PYTHONPATH="$place/src" PYTHONDONTWRITEBYTECODE=1
rm -f asan.log.* ubsan.log.*
cd "$top"
missing=
for kernel in $kernels/*/_*.pyx; do
  ls "$place/${kernel%.pyx}".*.so > /dev/null 2>&1 || missing="$missing $(basename "$kernel")"
done
if [ -n "$missing" ]; then
  echo "Not compiled ($place/build.log):$missing"
  exit 1
fi
status=0
[ $# -gt 0 ] || set -- tests/kernels tests/hostile/test_overflows.py
LD_PRELOAD="$runtime" "$python" -m pytest -p no:cacheprovider "$@" || status=$?
if [ "${SECONDS_OF_FUZZING:-30}" -gt 0 ]; then
  for target in readers store; do
    LD_PRELOAD="$runtime" "$python" -m tests.fuzz \
      --only $target --seconds "${SECONDS_OF_FUZZING:-30}" || status=$?
  done
fi
echo "--- findings of the sanitizers:"
cat "$place"/asan.log.* "$place"/ubsan.log.* 2>/dev/null \
  | grep -E "ERROR: AddressSanitizer|runtime error" | sed 's/==[0-9]*==//' | sort | uniq -c | sort -rn | head -n 40
ls "$place"/asan.log.* "$place"/ubsan.log.* > /dev/null 2>&1 && status=1
exit $status
