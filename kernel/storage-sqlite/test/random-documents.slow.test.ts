import { storageSuite } from '@gateway/testing'
import { subject } from '../../storage/test/subject.ts'

storageSuite('the embedded store, with many random documents', ({ clock }) => subject({ clock, smallCollection: -1 }))
