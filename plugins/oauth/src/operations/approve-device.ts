import { type CallContext, gatewayWide, type Resolved, throughout } from '@gateway/sdk'
import { hashOf } from '@gateway/sdk/secrets'
import { codes, devices } from '../collections.ts'
import type { Form } from '../rules/form.ts'
import { invalidGrant } from '../rules/refusal.ts'
import { partsOf } from '../rules/secrets.ts'
import { DENIED, findDevice } from './devices.ts'

export const approvalUses = { codes: throughout(codes), devices: gatewayWide(devices) }

/**
 * Hands the decision of a person to the waiting device. The person's tenant keeps it as a code, because the device belongs to no
 * tenant yet; a code without scopes is a refusal.
 */
export async function answerApproval(
  { codes, devices }: Resolved<typeof approvalUses>,
  { approval = '' }: Form,
  ctx: Pick<CallContext, 'now'>,
): Promise<object> {
  const [tenantId, secret] = partsOf(approval, 2) ?? []
  const found = tenantId === undefined || secret === undefined ? undefined : await codes.of(tenantId).get(hashOf(secret))
  if (found?.userCode === undefined || found.grantId !== undefined || found.expiresAt <= ctx.now().toISOString())
    throw invalidGrant('The approval is not valid.')
  const { hash } = await findDevice(devices, found.userCode, ctx)
  const outcome = found.scopes.length === 0 ? DENIED : approval
  if (!(await devices.writable().updateOne(hash, { set: { outcome } }, { outcome: { exists: false } })))
    throw invalidGrant('Somebody else has just decided.')
  return {}
}
