import { Component, effect, signal } from '@angular/core';
import { preferredTheme, showTheme } from '../../desk/theme.ts';
import { Notes } from './notes.ts';
import { Overview } from './overview.ts';

@Component({
  selector: 'desk-app',
  imports: [Notes, Overview],
  template: `
    <div class="bar">
      <span class="brand"><img src="./mark.svg" alt="" width="28" height="28" />Marlow &amp; Finch</span>
      <nav aria-label="Pages">
        <button type="button" [attr.aria-current]="page() === 'overview' ? 'page' : null" (click)="page.set('overview')">Overview</button>
        <button type="button" [attr.aria-current]="page() === 'notes' ? 'page' : null" (click)="page.set('notes')">Notes</button>
      </nav>
      <button class="quiet" type="button" (click)="theme.set(theme() === 'dark' ? 'light' : 'dark')">
        {{ theme() === 'dark' ? 'Light' : 'Dark' }} theme
      </button>
    </div>
    <main>
      @if (page() === 'overview') {
        <desk-overview [theme]="theme()" />
      } @else {
        <desk-notes />
      }
    </main>
  `,
})
export class App {
  readonly theme = signal(preferredTheme());
  readonly page = signal<'overview' | 'notes'>('overview');

  constructor() {
    effect(() => showTheme(this.theme()));
  }
}
