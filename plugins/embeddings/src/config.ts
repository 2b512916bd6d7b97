import { closed, defineConfig, Type } from '@gateway/sdk'

export const config = defineConfig(
  'embeddings',
  Type.Object(
    {
      mode: Type.Enum(['auto', 'off'], {
        type: 'string',
        default: 'auto',
        env: 'GATEWAY_EMBEDDINGS',
        description: '`auto` makes vectors once the package and the model are there; with `off` search goes by words.',
      }),
      modelDir: Type.Optional(
        Type.String({
          minLength: 1,
          env: 'GATEWAY_MODEL_DIR',
          description:
            'Folder that holds all-MiniLM-L6-v2/. Unset: `<data>/models`, and the model is fetched into it once, in the background.',
        }),
      ),
      modelUrl: Type.String({
        default: 'https://huggingface.co/Xenova/all-MiniLM-L6-v2/resolve/main',
        pattern: '^https?://',
        description: 'Where the files of the model are fetched from.',
      }),
      idleMinutes: Type.Number({
        default: 5,
        exclusiveMinimum: 0,
        maximum: 10_000,
        description: 'The process of the model ends when it was not used for this long; the next text starts it.',
      }),
    },
    closed,
  ),
)
