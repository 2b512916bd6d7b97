import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'repos',
  Type.Object(
    {
      newAppPipelineUrl: Type.Optional(
        Type.String({
          pattern: '^https?://',
          maxLength: 2_000,
          env: 'NEW_APP_PIPELINE_URL',
          description: 'Where new_app posts an idea: the pipeline that makes an app of it.',
        }),
      ),
      newAppPipelineToken: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 4_000,
          env: 'NEW_APP_PIPELINE_TOKEN',
          description: 'The pipeline’s token, sent as Bearer.',
        }),
      ),
      newAppTimeoutSeconds: Type.Integer({
        default: 60,
        minimum: 1,
        maximum: 600,
        description: 'How long new_app waits for the pipeline to answer.',
      }),
      staleHandoffDays: Type.Integer({
        default: 7,
        minimum: 1,
        maximum: 365,
        description: 'A handoff that is older makes repos_priority rank its repo higher.',
      }),
    },
    closed,
  ),
)
