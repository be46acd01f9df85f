import { z } from 'zod';
import { setting } from './define-setting.ts';

/** The settings of embed tokens that the host page's server signs. */
export const EMBED_SETTINGS = {
  'service.embed.jwt.secret': setting({
    isSecret: true,
    schema: z.string().max(4_096),
    default: '',
    description:
      'Shared secret of HS256, 32 bytes or more, best set in the environment: the host page’s server signs embed tokens with it. Without it and `service.embed.jwt.jwks`, only stored tokens are accepted.',
  }),
  'service.embed.jwt.jwks': setting({
    schema: z.string().max(2_000),
    default: '',
    description:
      'Public keys of the host page’s server as a JSON Web Key Set: an address that begins with https://, or a file (from the home folder). RS256, ES256 and EdDSA are accepted. The keys are read again every ten minutes, and for an unknown key.',
  }),
  'service.embed.jwt.issuer': setting({
    schema: z.string().max(500),
    default: '',
    description: 'Required `iss` of signed tokens.',
  }),
  'service.embed.jwt.audience': setting({
    schema: z.string().max(500),
    default: '',
    description: 'Required `aud` of signed tokens.',
  }),
  'service.embed.jwt.owners': setting({
    schema: z.string().max(10_000),
    default: '',
    description:
      'Users whom a signed token may name as `owner`, separated by commas: it reads with the roles of that user.',
  }),
  'service.embed.jwt.tenant': setting({
    schema: z.string().min(1).max(64),
    default: 'default',
    description: 'Tenant of the documents and owners of signed tokens.',
  }),
};
