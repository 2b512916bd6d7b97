/** Files that show the stack of a repo, in the order in which they are named. */
const MARKS: readonly (readonly [string, RegExp])[] = [
  ['node', /^package\.json$/],
  ['typescript', /^tsconfig(\..+)?\.json$/],
  ['deno', /^deno\.jsonc?$/],
  ['python', /^(pyproject\.toml|requirements\.txt|setup\.py|Pipfile)$/],
  ['go', /^go\.mod$/],
  ['rust', /^Cargo\.toml$/],
  ['java', /^(pom\.xml|build\.gradle(\.kts)?)$/],
  ['dotnet', /\.(csproj|fsproj|sln|slnx)$/],
  ['ruby', /^Gemfile$/],
  ['php', /^composer\.json$/],
  ['swift', /^Package\.swift$/],
  ['elixir', /^mix\.exs$/],
  ['dart', /^pubspec\.yaml$/],
  ['cpp', /^CMakeLists\.txt$/],
  ['docker', /^(Dockerfile|compose\.ya?ml|docker-compose\.ya?ml)$/],
]

export function stackOf(names: readonly string[]): string[] {
  return MARKS.filter(([, mark]) => names.some((name) => mark.test(name))).map(([stack]) => stack)
}
