# Configuring and building a preset; sourced by ./carom and ./test, which set `root` (the project's folder) and
# `program` (their own name, for messages).

say() { printf '%s: %s\n' "$program" "$*" >&2; }

# prepare PRESET TARGET…: configures build/PRESET if need be and brings targets, if any, up to date. One at a time per
# preset, also when many are started together.
prepare() {
  mkdir -p "$root/build" 2>/dev/null && [[ -w $root/build ]] ||
    { say "cannot write to the folder build of the project"; return 4; }
  (
    flock --nonblock 9 || { say "waiting for another build of build/$1"; flock 9; }
    configure "$1" && { (( $# == 1 )) || build "$@"; }
  ) 9>"$root/build/$1.lock"
}

# configure PRESET: makes build/PRESET ready for ninja. The log is shown only on failure.
configure() {
  local preset=$1 folder=$root/build/$1 log
  local cache=$folder/CMakeCache.txt ready=$folder/.configured
  mkdir -p "$folder"
  # A folder that was moved or copied is configured anew, and so is one whose presets or viewer packages have changed.
  if [[ -e $ready && ! $root/CMakePresets.json -nt $ready && -e $folder/build.ninja ]] &&
     [[ ! $root/viewer/node_modules/.package-lock.json -nt $ready ]] &&
     grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
    return 0
  fi
  say "configuring build/$preset"
  rm -f "$ready"
  log=$folder/configure.log
  if ! (cd "$root" && cmake --preset "$preset" --fresh) >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    say "configuring build/$preset failed"
    return 4
  fi
  touch "$ready"
}

# build PRESET TARGET…: brings targets up to date. Says so only when there is work; the log is shown only on failure.
build() {
  local preset=$1 folder=$root/build/$1 log=$root/build/$1/build.log line told=
  shift
  ninja -C "$folder" "$@" 2>&1 </dev/null | tee "$log" | while IFS= read -r line; do
    if [[ -z $told && $line == *'] Building '* ]]; then
      told=1
      say "building build/$preset (the first time takes minutes) …"
    fi
  done
  if (( PIPESTATUS[0] )); then
    grep -vE '^\[[0-9]+/[0-9]+\] (Building|Linking|Generating|Re-)' "$log" >&2
    say "building build/$preset failed"
    return 4
  fi
}
