import { closed, defineConfig, httpAddress, Type } from '@gateway/sdk'

export const config = defineConfig(
  'embeddings',
  Type.Object(
    {
      mode: Type.Enum(['auto', 'off'], {
        type: 'string',
        default: 'auto',
        env: 'GATEWAY_EMBEDDINGS',
        description: '`auto` computes vectors once the package and the model are installed; with `off`, search uses words only.',
      }),
      modelDir: Type.Optional(
        Type.String({
          minLength: 1,
          env: 'GATEWAY_MODEL_DIR',
          description:
            'Folder that contains all-MiniLM-L6-v2/. Unset: `<data>/models`, into which the model is downloaded once, in the background.',
        }),
      ),
      modelUrl: Type.String({
        default: 'https://huggingface.co/Xenova/all-MiniLM-L6-v2/resolve/main',
        rule: httpAddress,
        description: 'Address that the model files are downloaded from.',
      }),
      idleMinutes: Type.Number({
        default: 5,
        exclusiveMinimum: 0,
        maximum: 10_000,
        description: 'The model process stops after this time without use; the next text starts it again.',
      }),
    },
    closed,
  ),
)
