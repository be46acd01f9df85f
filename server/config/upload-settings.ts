import { setting, whole } from './define-setting.ts';

const MEGABYTES = whole(1, 1_048_576);

/** Settings of uploads, and of the disk for them. */
export const UPLOAD_SETTINGS = {
  'service.inference.maxUploadMb': setting({
    schema: whole(1, 65_536),
    default: 512,
    description: 'Megabytes of a file that is uploaded to be profiled or imported; a larger one is answered 413.',
  }),
  'service.uploads.maxMegabytesPerUser': setting({
    schema: MEGABYTES,
    default: 2_176,
    description:
      'Megabytes of the uploads that one user or API key has under way together; more are answered 429 `upload_limit`.',
  }),
  'service.uploads.maxRunningPerUser': setting({
    schema: whole(1, 1_000),
    default: 4,
    description: 'Uploads that one user or API key has under way; one more is answered 429 `upload_limit`.',
  }),
  'service.uploads.maxMegabytes': setting({
    schema: MEGABYTES,
    default: 8_192,
    description: 'Megabytes of all uploads that are under way together; more are answered 503 `upload_limit`.',
  }),
  'service.disk.minFreeMegabytes': setting({
    schema: whole(0, 1_048_576),
    default: 128,
    description:
      'Megabytes of the data folder’s disk that uploads leave free, so that sign-in and jobs go on: an upload that would take them is answered 503 `storage_full`, and `/readyz` is 503 with `disk` while less is free.',
  }),
} as const;
