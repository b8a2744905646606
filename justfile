# The commands of a working day; `just` lists them. Each is one line, so it can be typed without just.

_list:
    @just --list --unsorted

# Format, lints, features, documentation, tests (under three minutes when warm)
check:
    .ci/run check

# Tests of the library and the command line: `just test NAME` runs those with NAME in their name
test *NAME:
    cargo test {{ NAME }}

# The vectors, or the files that are named
vectors *FILES="spec-vectors":
    cargo run --release -p eventrie-cli -- vectors {{ FILES }}

# Write the golden files anew; read the difference before you commit it
bless:
    UPDATE_SNAPSHOTS=1 cargo test
    git diff --stat

# Fuzz all targets for half a minute each, or TARGET for longer: `just fuzz -m 30 matching`
fuzz *ARGS="-s 30":
    fuzz/campaign {{ ARGS }}

# The pattern tester, on this machine
page:
    cd wasm && npm ci && npm start
