/** True if A and B are the same type, not only assignable. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Compiles only if the type argument is `true`; does nothing at run time. */
export function holds<_Claim extends true>(): void {}
