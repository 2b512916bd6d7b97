import type { Gateway } from '@gateway/kernel'
import { type ErrorForm, type ErrorRecord, errorForm, LOCAL_TENANT, type Principal } from '@gateway/sdk'
import type { FastifyRequest } from 'fastify'
import { pathOf } from './guard.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The body of an error: the record, or the form that a plugin gives errors of this path. */
    errorBody(request: FastifyRequest, status: number, error: ErrorRecord): object
  }
}

const ASKER: Principal = { id: 'error-form', kind: 'system', role: 'system', tenantId: LOCAL_TENANT }

export function errorBodies(gateway: Pick<Gateway, 'collect'>) {
  let forms: readonly ErrorForm[] | undefined
  return ({ raw, headers }: FastifyRequest, status: number, error: ErrorRecord): object => {
    forms ??= gateway.collect(errorForm, ASKER)
    const path = pathOf(raw.url ?? '')
    const form = forms.find(({ prefix }) => path.startsWith(prefix))
    return form ? form.body({ path, headers, status, error }) : error
  }
}
