const register = import.meta.resolve('./register.mjs')

/** Options of `node` for a program in TypeScript, which is compiled as it is loaded. */
export const compiled = ['--import', register]

/** The same; packages of this repository are their sources, not what was built of them. */
export const fromSources = ['--conditions=@gateway/source', ...compiled]
