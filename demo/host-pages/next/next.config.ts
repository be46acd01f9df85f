import { fileURLToPath } from 'node:url';
import type { NextConfig } from 'next';

const config: NextConfig = {
  poweredByHeader: false,
  // The style sheet of the demo's apps is beside this app.
  turbopack: { root: fileURLToPath(new URL('..', import.meta.url)) },
};

export default config;
