/**
 * Owner of the kernel's own records: a tenant id that no tenant can have. No plugin can list their collections, because ids
 * that begin with `gateway.` are the kernel's.
 */
export const KERNEL_TENANT = '_gateway'
