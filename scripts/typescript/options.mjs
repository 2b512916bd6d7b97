const register = import.meta.resolve('./register.mjs')

/** Options of `node` for a program in TypeScript, which is compiled on load. */
export const compiled = ['--import', register]

/**
 * The same; packages of this repository resolve to their sources, not to the build. Loading the standard distribution costs a process
 * about 4 s of CPU time from the sources and 0.7 s from the build, so tests start their gateways with `compiled` alone.
 */
export const fromSources = ['--conditions=@gateway/source', ...compiled]
