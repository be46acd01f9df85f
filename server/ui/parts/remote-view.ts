import { html, type TemplateResult } from 'lit';
import type { RemoteState } from '../api-client/remote-data.ts';
import { session } from '../shell/page-context.ts';
import { signInAddress } from '../shell/return-address.ts';
import { msg } from '../words/words.ts';

/** What a page shows of remote data: waiting, a failure with a way to try again, or the data. */
export function remoteView<T>(state: RemoteState<T>, ready: (value: T) => unknown, again: () => void): TemplateResult {
  switch (state.status) {
    case 'loading':
      return waiting();
    case 'failed':
      return html`<div class="notice failed" role="alert"><h2>${msg('This could not be loaded')}</h2><p>${state.message}</p>
        <button class="button" type="button" @click=${again}>${msg('Try again')}</button></div>`;
    case 'ready':
      return html`${ready(state.value)}`;
  }
}

/**
 * Shows content to a user who may see it, and to others the way there.
 *
 * @param isFor `administrators` where the server answers nobody else
 */
export function guardedView(isFor: 'signed-in' | 'administrators', content: () => unknown): TemplateResult {
  const { user } = session;
  if (user === undefined) return waiting();
  if (user === null)
    return html`<div class="empty"><h2>${msg('Sign in to see this page')}</h2>
      <a class="button primary" href=${signInAddress()}>${msg('Sign in')}</a></div>`;
  if (isFor === 'administrators' && !user.administrator)
    return html`<div class="empty"><h2>${msg('This page is for administrators')}</h2>
      <p>${msg('Ask an administrator of your tenant, who can also give you the role.')}</p></div>`;
  return html`${content()}`;
}

function waiting(): TemplateResult {
  return html`<div class="bone"><span class="visually-hidden" role="status">${msg('Loading…')}</span></div>`;
}
