export { openOidc, signInWay } from './open-oidc.ts';
export { oidcSettings } from './settings.ts';
