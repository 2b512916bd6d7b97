import { isSecretName, redactText } from '@gateway/sdk/redact'
import { describe, type ErrorObject, explain, isSecret, lengthAlone } from '@gateway/validation'

/**
 * What is wrong with a setting. It is printed and logged, so what came is left out where the setting’s name says that it
 * is a secret, or its schema does (`secret: true`), and goes without the secrets in it anywhere else.
 */
export function explainSetting(fault: ErrorObject): { message: string; field: string } {
  const secret = isSecret(fault) || fault.instancePath.split('/').some(isSecretName)
  return explain(fault, secret ? lengthAlone : (value) => redactText(describe(value)))
}
