import { pluginSuite } from '@gateway/testing'
import signIn from '../src/index.ts'

pluginSuite(signIn, { folder: import.meta.dirname })
