# Writes the console's files as Swift constants, compressed: console.sh WEB OUTPUT. The plugin EmbedConsole runs it in
# every build that follows a change.
set -eu
web=$1 output=$2
cd "$web"
files=$(find . -type f -name '*.*' | sed 's|^\./||' | LC_ALL=C sort)
# The contents of all files decide, so that a browser never mixes files of two versions.
# shellcheck disable=SC2086
version=$(for file in $files; do echo "$file"; cat "$file"; done | cksum | tr ' ' '-')
base=console/$version
# Leaves out the comment at the top of a file and those before functions and rules: they are for people who read the
# sources.
strip='NR == 1, !/^\/\// { if (/^\/\//) next } /^ *\/\*/ { inside = 1 } inside { if (/\*\//) inside = 0; next } { print }'
preloads=$(for file in $files; do
    case $file in js/*.js) printf '<link rel="modulepreload" href="%s/%s">' "$base" "$file" ;; esac
done)
mkdir -p "$(dirname "$output")"
{
    printf '// Made by scripts/console.sh.\nextension ConsoleFiles {\n    static let version = "%s"\n' "$version"
    printf '    static let contents: [(path: String, gzip: String)] = [\n'
    for file in $files; do
        printf '        ("%s", "' "$file"
        case $file in *.js | *.css) awk "$strip" "$file" ;; *) cat "$file" ;; esac |
            sed "s|{{base}}|$base|g; s|{{preloads}}|$preloads|" | gzip -9n | base64 | tr -d '\n=' | tr '+/' '-_'
        printf '"),\n'
    done
    printf '    ]\n}\n'
} >"$output"
