import { pluginSuite } from '@gateway/testing'
import sessions from '../src/index.ts'

pluginSuite(sessions, { folder: import.meta.dirname })
