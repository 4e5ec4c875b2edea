/** An object of a bucket, as its list has it. */
export interface ListedObject {
  readonly key: string
  readonly bytes: number
}

export interface ListedPage {
  readonly objects: readonly ListedObject[]
  /** Undefined: this is the last page. */
  readonly next: string | undefined
}

/** One page of ListObjectsV2, asked for with `encoding-type=url`. Its elements are flat: no parser is needed. */
export function listedPage(xml: string): ListedPage {
  const isEncoded = elementText(xml, 'EncodingType') === 'url'
  const objects = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, content = '']) => {
    const key = elementText(content, 'Key') ?? ''
    return {
      key: isEncoded ? decodeURIComponent(key.replaceAll('+', ' ')) : key,
      bytes: Number(elementText(content, 'Size')),
    }
  })
  const isCut = elementText(xml, 'IsTruncated') === 'true'
  return { objects, next: isCut ? elementText(xml, 'NextContinuationToken') : undefined }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#34;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&amp;': '&',
}

export function elementText(xml: string, element: string): string | undefined {
  const [, text] = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml) ?? []
  return text?.replace(/&(lt|gt|quot|#34|apos|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity)
}
