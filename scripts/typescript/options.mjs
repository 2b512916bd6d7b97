const register = import.meta.resolve('./register.mjs')

/** Options of `node` for a program in TypeScript, which is compiled on load. */
export const compiled = ['--import', register]

/** The same; packages of this repository resolve to their sources, not to the build. */
export const fromSources = ['--conditions=@gateway/source', ...compiled]
