import { Component } from '@angular/core';

@Component({
  selector: 'desk-notes',
  template: `
    <div class="lead">
      <h1>Notes</h1>
      <p>Notes on the figures.</p>
    </div>
    <ul class="notes">
      <li>Prices were raised in January of each year.</li>
      <li>Orders count for the category of each line.</li>
      <li>All figures are net of discounts, in EUR.</li>
    </ul>
  `,
})
export class Notes {}
