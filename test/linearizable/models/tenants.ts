import type { Call, Model } from '../checker.ts'

export interface TenantCall extends Call<{ readonly ok: boolean }> {
  readonly key: string
  readonly request: { readonly op: 'suspend' | 'reactivate' | 'use' }
}

/** A tenant that may be suspended: from the next call on it is refused everywhere. The state is true while it is active. */
export const tenantModel: Model<boolean, TenantCall> = {
  initial: true,
  onlyReads: ({ request }) => request.op === 'use',
  execute(isActive, { request: { op }, answer }) {
    if (op === 'use') return answer === undefined || answer.ok === isActive ? [isActive] : []
    return [op === 'reactivate']
  },
}
