import type { Page } from 'playwright';
import type { Product } from './product.ts';

/** Signs in on the sign-in page as somebody does, and returns to the page where it began. */
export async function signIn(page: Page, { password }: Pick<Product, 'password'>, user = 'admin'): Promise<void> {
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('User name').fill(user);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Account of' }).waitFor();
}

/** Signs in at the address of the sign-in page, and goes on to a page. */
export async function signInTo(
  page: Page,
  path: string,
  { url, password }: Pick<Product, 'url' | 'password'>,
  user = 'admin',
): Promise<void> {
  await page.goto(`${url}/ui/sign-in/?next=${path}`);
  await page.getByLabel('User name').fill(user);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: `Account of ${user}` }).waitFor();
}

/** Signs out in the menu of the user. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account of' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor();
}
