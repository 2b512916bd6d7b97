import { pluginSuite } from '@gateway/testing'
import embeddings from '../src/index.ts'

pluginSuite(embeddings, { folder: import.meta.dirname })
