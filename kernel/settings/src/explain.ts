import { isSecretName, redactText } from '@gateway/sdk/redact'
import { describe, type ErrorObject, explain, isSecret, lengthAlone } from '@gateway/validation'

/**
 * Describes the fault of a setting. It is printed and logged, so the value is omitted if the setting's name or its schema
 * (`secret: true`) marks it as secret, and shown without secrets otherwise.
 */
export function explainSetting(fault: ErrorObject): { message: string; field: string } {
  const secret = isSecret(fault) || fault.instancePath.split('/').some(isSecretName)
  return explain(fault, secret ? lengthAlone : (value) => redactText(describe(value)))
}
