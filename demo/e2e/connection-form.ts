/** Fills the form of a connection on the page of data, as somebody does. */
import type { Page } from 'playwright';
import { expect } from 'vitest';

/** Opens an empty form for an engine, by its title. The name of the connection is `Ours on` it. */
export async function connectionForm(page: Page, engine: string) {
  await page.getByRole('button', { name: 'Add a connection' }).click();
  const dialog = page.locator('ui-connection-dialog');
  const field = (name: string) => dialog.locator(`[name=${name}]`);
  const name = `Ours on ${engine}`;
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByRole('combobox', { name: 'Database system' }).selectOption({ label: engine });
  const test = () => dialog.getByRole('button', { name: 'Test' }).click();
  return {
    dialog,
    field,
    async fill(values: Readonly<Record<string, string>>): Promise<void> {
      for (const [part, value] of Object.entries(values)) await field(part).fill(value);
    },
    /** Tests the connection, and expects a reason at one field, which has the focus. */
    async refused(part: string, why: string | RegExp): Promise<void> {
      await test();
      await dialog.locator('#wrong').getByText(why).waitFor();
      await expect.poll(() => field(part).getAttribute('aria-invalid')).toBe('true');
      expect(await dialog.locator('[aria-invalid=true]').count()).toBe(1);
      await expect.poll(() => dialog.locator(':focus').getAttribute('name')).toBe(part);
    },
    /** Takes a name that exists, which the reason offers. */
    async take(part: string, candidate: string): Promise<void> {
      await dialog.getByRole('button', { name: candidate, exact: true }).click();
      expect(await field(part).inputValue()).toBe(candidate);
    },
    async connected(): Promise<void> {
      await test();
      await dialog.getByText(`Connected to ${engine}`).waitFor();
    },
    async saved(): Promise<void> {
      await dialog.getByRole('button', { name: 'Save connection' }).click();
      await page.getByText(`${name} is saved.`).waitFor();
      await page.getByRole('button', { name: `Test ${name}` }).click();
      await page.getByText(`Answers: ${engine}`).waitFor();
    },
  };
}
