import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BucketError } from 'candlehouse-foundation/errors'
import { describe, expect, test } from 'vitest'
import { Bucket } from '../../src/bucket/bucket.js'
import { type AwsSettings, bucketAccess } from '../../src/bucket/bucket-access.js'
import { addressText, bucketAddress } from '../../src/bucket/bucket-address.js'
import { ACCESS, FakeBucket, SECRET } from '../support/bucket.js'
import { fakeEffects } from '../support/effects.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'

const signal = new AbortController().signal
const text = (value: string): Buffer => Buffer.from(value)

function opened(fake = new FakeBucket(), effects = fakeEffects()) {
  return { fake, effects, bucket: new Bucket(ACCESS, signal, fake.through(effects)) }
}

describe('an address', () => {
  test.each([
    ['s3://desk', { bucket: 'desk', prefix: '' }],
    ['s3://desk/', { bucket: 'desk', prefix: '' }],
    ['s3://desk.example/lake/of/2026/', { bucket: 'desk.example', prefix: 'lake/of/2026' }],
  ])('%s', (address, parts) => {
    expect(bucketAddress(address)).toEqual(parts)
    expect(bucketAddress(addressText(parts))).toEqual(parts)
  })

  test.each(['desk/lake', 'https://desk/lake', 's3://', 's3://Desk', 's3://desk/a b', 's3://desk/../other'])(
    '%s is none',
    (address) => expect(bucketAddress(address)).toBeUndefined(),
  )
})

describe('credentials', () => {
  const none: AwsSettings = {
    accessKeyId: undefined,
    secretAccessKey: undefined,
    sessionToken: undefined,
    region: undefined,
    profile: undefined,
    endpoint: undefined,
  }
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'aws'))
  const aws = join(folder, 'aws')
  writeFileSync(
    join(aws, 'credentials'),
    '[default]\naws_access_key_id = A\naws_secret_access_key = B\n\n[desk]\naws_access_key_id=C\naws_secret_access_key = D=+/\naws_session_token = E\n',
  )
  writeFileSync(
    join(aws, 'config'),
    '[profile desk]\nregion = ap-southeast-1\ns3 =\n  max_concurrent_requests = 2\n[default]\nregion=eu-west-1\n',
  )

  test('are those of the default profile, of a named one, or of the environment, which is the strongest', () => {
    expect(bucketAccess('s3://desk', none, aws)).toMatchObject({
      credentials: { accessKeyId: 'A', secretAccessKey: 'B', sessionToken: undefined },
      region: 'eu-west-1',
    })
    expect(bucketAccess('s3://desk', { ...none, profile: 'desk' }, aws)).toMatchObject({
      credentials: { accessKeyId: 'C', secretAccessKey: 'D=+/', sessionToken: 'E' },
      region: 'ap-southeast-1',
    })
    const environment = {
      ...none,
      profile: 'desk',
      accessKeyId: 'X',
      secretAccessKey: 'Y',
      region: 'us-west-2',
    }
    expect(bucketAccess('s3://desk', environment, aws)).toMatchObject({
      credentials: { accessKeyId: 'X', secretAccessKey: 'Y', sessionToken: undefined },
      region: 'us-west-2',
    })
  })

  test('that are missing are named', () => {
    const missing = () => bucketAccess('s3://desk', { ...none, profile: 'nobody' }, aws)
    expect(missing).toThrow('profile nobody in ~/.aws has no aws_access_key_id')
    expect(() => bucketAccess('s3://desk', none, join(folder, 'none'))).toThrow('AWS_ACCESS_KEY_ID')
  })
})

describe('objects of a bucket', () => {
  test('lists page after page, below its prefix', async () => {
    const { fake, bucket } = opened(new FakeBucket(3))
    const keys = ['a', 'b/c=1/d.parquet', 'e+f & g', 'h', 'i', 'j', 'k']
    for (const key of keys) fake.objects.set(`lake/${key}`, text(key))
    fake.objects.set('lakeside/x', text('other'))
    expect(await bucket.list()).toEqual(keys.map((key) => ({ key, bytes: key.length })))
    expect(fake.requests).toHaveLength(3)
  })

  test('creates an object once: other bytes are refused, the same bytes are our own', async () => {
    const { fake, bucket } = opened()
    expect(await bucket.create('log/0.json', text('ours'))).toBe(true)
    expect(await bucket.create('log/0.json', text('ours'))).toBe(true)
    expect(await bucket.create('log/0.json', text('theirs'))).toBe(false)
    expect(fake.objects.get('lake/log/0.json')).toEqual(text('ours'))
  })

  test('knows its own commit whose answer was lost', async () => {
    const { fake, effects, bucket } = opened()
    fake.fault = ({ method }) => (method === 'PUT' && fake.writes().length === 1 ? 'lost after' : undefined)
    expect(await bucket.create('log/0.json', text('ours'))).toBe(true)
    expect(fake.requests.map(({ method }) => method)).toEqual(['PUT', 'PUT', 'GET'])
    expect(effects.slept).toEqual([1000])
  })

  test('replaces only the object that was read', async () => {
    const { fake, bucket } = opened()
    expect(await bucket.replace('manifest.json', text('1'), undefined)).toBe(true)
    const read = await bucket.read('manifest.json')
    expect(await bucket.replace('manifest.json', text('2'), read)).toBe(true)
    expect(await bucket.replace('manifest.json', text('3'), read)).toBe(false)
    expect(fake.objects.get('lake/manifest.json')).toEqual(text('2'))
  })

  test('has one winner per version where two publishers race, also where answers are lost', async () => {
    const { fake, bucket } = opened()
    let count = 0
    fake.fault = () => {
      count += 1
      return count % 7 === 0 ? 'lost after' : count % 11 === 0 ? 503 : undefined
    }
    const other = new Bucket(ACCESS, signal, fake.through(fakeEffects()))
    for (let version = 0; version < (LONG ? 100 : 40); version += 1) {
      const [first, second] = await Promise.all([
        bucket.create(`${version}.json`, text(`first ${version}`)),
        other.create(`${version}.json`, text(`second ${version}`)),
      ])
      expect([first, second].filter(Boolean)).toHaveLength(1)
      const winner = `${first ? 'first' : 'second'} ${version}`
      expect(fake.objects.get(`lake/${version}.json`)).toEqual(text(winner))
    }
  })
})

describe('large objects of a bucket', () => {
  test('takes a large file in parts, one of them twice; what failed leaves no open upload', async () => {
    const { fake, bucket } = opened()
    const file = join(temporaryFolder(), 'large')
    const content = Buffer.from(Array.from({ length: 25 }, (_, index) => index))
    writeFileSync(file, content)
    fake.fault = () => (fake.writes().length === 2 ? 500 : undefined)
    await bucket.upload('large.parquet', file, 10)
    expect(fake.objects.get('lake/large.parquet')).toEqual(content)
    expect(fake.writes().map(({ query }) => query.get('partNumber'))).toEqual(['1', '2', '2', '3'])

    fake.fault = ({ query }) => (query.get('partNumber') === '2' ? 403 : undefined)
    await expect(bucket.upload('other.parquet', file, 10)).rejects.toThrow(BucketError)
    expect(fake.objects.has('lake/other.parquet')).toBe(false)
    expect(fake.openUploads).toBe(0)
  })

  test('reads a large object in parts, each asked for again alone, and never those of two objects', async () => {
    const { fake, bucket } = opened()
    const content = Buffer.from(Array.from({ length: 25 }, (_, index) => index))
    fake.objects.set('lake/large.parquet', content)
    const read = async (): Promise<Buffer> => {
      const parts: Uint8Array[] = []
      expect(await bucket.readParts('large.parquet', (part) => void parts.push(part), 10)).toBe(true)
      return Buffer.concat(parts)
    }
    fake.fault = () => (fake.requests.length === 2 ? 500 : undefined)
    expect(await read()).toEqual(content)
    expect(fake.requests.map(({ headers }) => headers.get('range'))).toEqual(
      ['0-9', '10-19', '10-19', '20-29'].map((range) => `bytes=${range}`),
    )
    expect(await bucket.readParts('other', () => undefined)).toBe(false)
    fake.fault = ({ headers }) => {
      if (headers.get('range') === 'bytes=10-19') fake.objects.set('lake/large.parquet', text('replaced'))
      return undefined
    }
    await expect(read()).rejects.toThrow(BucketError)
  })
})

describe('a bucket that fails', () => {
  test('waits longer after each 503, then gives up with a clear error', async () => {
    const { fake, effects, bucket } = opened()
    fake.fault = () => 503
    const failure = await bucket.read('x').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(BucketError)
    expect((failure as BucketError).message).toBe(
      's3://desk/lake at fake.test cannot be used: 5 attempts, the last one: 503 Fault503',
    )
    expect(effects.slept).toEqual([1000, 2000, 4000, 8000])
  })

  test.each([
    [
      Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:9000'), { code: 'ECONNREFUSED' }),
      'ECONNREFUSED',
    ],
    [new Error('bad port'), 'bad port'],
    [new Error('getaddrinfo of 10.1.2.3'), 'TypeError'],
  ])('that does not answer is told with the code or the words of %s', async (cause, told) => {
    const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }))
    const effects = { ...fakeEffects(), network: { fetch } }
    const bucket = new Bucket(ACCESS, signal, effects)
    await expect(bucket.read('a')).rejects.toThrow(`5 attempts, the last one: no answer (${told})`)
  })

  test('is asked once where it refuses; secrets are in no error', async () => {
    const { fake, bucket } = opened()
    fake.fault = () => 403
    const failure = await bucket.write('x', text('y')).catch((error: unknown) => error)
    expect(fake.requests).toHaveLength(1)
    expect(JSON.stringify(failure) + String((failure as Error).stack)).not.toMatch(
      new RegExp(`${SECRET}|AKIAFAKE|a-token-of-a-session`),
    )
    expect((failure as Error).message).toMatch(/403 Fault403$/)
    expect(fake.requests[0]?.headers.get('x-amz-security-token')).toBe('a-token-of-a-session')
    expect(fake.requests[0]?.url).not.toContain(SECRET)
  })
})
