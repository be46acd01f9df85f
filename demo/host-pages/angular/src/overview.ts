/** Uses the element as Angular uses any custom element: bound properties, its events, and its methods by a reference. */
import 'service-embed';
import { Component, CUSTOM_ELEMENTS_SCHEMA, computed, type ElementRef, input, signal, viewChild } from '@angular/core';
import type { EmbedFilter, ServiceEmbed, ServiceEmbedEventMap } from 'service-embed';
import { getToken, server } from '../../desk/backend.ts';
import { save } from '../../desk/save.ts';
import type { Theme } from '../../desk/theme.ts';

const CATEGORY = 'products.category';

@Component({
  selector: 'desk-overview',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <div class="lead">
      <h1>Assortment desk</h1>
      <p>Sales by category, 2025.</p>
    </div>
    <dl class="figures">
      @for (figure of figures; track figure.measure) {
        <div>
          <dt>{{ figure.title }}</dt>
          <dd>
            <service-embed [server]="server" path="shared/demo/key-figures.service" render="kpi" [measure]="figure.measure"
              height="96px" [theme]="theme()" [getToken]="getToken"></service-embed>
          </dd>
        </div>
      }
    </dl>
    <div class="split">
      <section class="card">
        <header>
          <h2>Categories</h2>
          <p>Choose a bar to see its products.</p>
        </header>
        <service-embed [server]="server" path="shared/demo/sales-by-category.service" render="chart" height="380px"
          [theme]="theme()" [getToken]="getToken" (service-load)="loaded($event)" (service-select)="choose($event)"></service-embed>
      </section>
      <section class="card">
        <header>
          <h2>Best sellers</h2>
          @if (category(); as chosen) {
            <button class="chip" type="button" (click)="category.set(undefined)">
              {{ chosen }} <span aria-hidden="true">×</span>
            </button>
          }
          <button class="quiet" type="button" (click)="download()">Download</button>
        </header>
        <service-embed #products [server]="server" path="shared/demo/top-products.service" height="380px"
          [theme]="theme()" [filter]="filter()" [getToken]="getToken"></service-embed>
      </section>
    </div>
    <p class="as-of">{{ asOf() === undefined ? '\u00a0' : 'Figures of ' + asOf()?.toLocaleTimeString('en') + '.' }}</p>
  `,
})
export class Overview {
  readonly theme = input.required<Theme>();
  readonly products = viewChild.required<ElementRef<ServiceEmbed>>('products');
  readonly category = signal<string | undefined>(undefined);
  readonly asOf = signal<Date | undefined>(undefined);
  readonly filter = computed<EmbedFilter | undefined>(() => {
    const category = this.category();
    return category === undefined ? undefined : { [CATEGORY]: [category] };
  });
  readonly server = server;
  readonly getToken = getToken;
  readonly figures = [
    { measure: 'net_sales', title: 'Net sales 2025' },
    { measure: 'order_count', title: 'Orders' },
    { measure: 'average_order_value', title: 'Average order' },
    { measure: 'margin_rate', title: 'Margin rate' },
  ] as const;

  choose({ detail }: ServiceEmbedEventMap['service-select']): void {
    this.category.set(detail.record[CATEGORY] ?? undefined);
  }

  loaded({ detail }: ServiceEmbedEventMap['service-load']): void {
    this.asOf.set(detail.asOf);
  }

  async download(): Promise<void> {
    save(await this.products().nativeElement.exportCsv(), 'products.csv');
  }
}
