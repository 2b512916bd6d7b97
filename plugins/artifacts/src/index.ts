import { definePlugin } from '@gateway/sdk'
import { artifacts, contents, rings } from './collections.ts'
import { config } from './config.ts'
import { artifactResource } from './resources/artifact.ts'
import { readArtifact } from './routes/read.ts'
import { artifactsList } from './tools/artifacts-list.ts'
import { artifactsRegister } from './tools/artifacts-register.ts'

export default definePlugin({
  id: 'artifacts',
  sdk: '^1.0.0',
  description: 'Files that tasks produce, limited in size and compressed.',
  config,
  collections: [artifacts, contents, rings],
  tools: [artifactsRegister, artifactsList],
  routes: [readArtifact],
  resources: [artifactResource],
})
