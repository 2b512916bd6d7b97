import { resourceOf } from '@gateway/sdk'
import { readArtifact } from '../routes/read.ts'

/** An artifact never changes, so nobody needs to subscribe to it. */
export const artifactResource = resourceOf(readArtifact, {
  uri: 'artifact://{artifactId}',
  name: 'artifact',
  description: 'A file that a task produced, with its metadata and content.',
})
