import { closed, defineConfig, httpAddress, Type } from '@gateway/sdk'

export const config = defineConfig(
  'repos',
  Type.Object(
    {
      newAppPipelineUrl: Type.Optional(
        Type.String({
          rule: httpAddress,
          maxLength: 2_000,
          env: 'NEW_APP_PIPELINE_URL',
          description: 'Address of the pipeline that creates an app from an idea; new_app posts to it.',
        }),
      ),
      newAppPipelineToken: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 4_000,
          env: 'NEW_APP_PIPELINE_TOKEN',
          description: 'Token of the pipeline, sent as Bearer.',
        }),
      ),
      newAppTimeoutSeconds: Type.Integer({
        default: 60,
        minimum: 1,
        maximum: 600,
        description: 'Timeout of new_app for the pipeline’s answer.',
      }),
      staleHandoffDays: Type.Integer({
        default: 7,
        minimum: 1,
        maximum: 365,
        description: 'Age from which a handoff makes repos_priority rank its repo higher.',
      }),
    },
    closed,
  ),
)
