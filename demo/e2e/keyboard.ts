/** Works a page by the keyboard alone. */
import type { Locator } from 'playwright';

/** The most presses of Tab to a control. */
const MAX_STEPS = 150;

/** Goes to a control by Tab. @throws Error where it cannot be reached so */
export async function tabTo(control: Locator): Promise<void> {
  await control.waitFor();
  const hasFocus = () => control.evaluate((each) => each.matches(':focus'));
  for (let steps = 0; !(await hasFocus()); steps++) {
    if (steps > MAX_STEPS) throw new Error(`Tab does not reach ${String(control)}`);
    await control.page().keyboard.press('Tab');
  }
}

export async function pressKey(control: Locator, key = 'Enter'): Promise<void> {
  await tabTo(control);
  await control.page().keyboard.press(key);
}

export async function typeInto(control: Locator, text: string): Promise<void> {
  await tabTo(control);
  await control.page().keyboard.type(text);
}
