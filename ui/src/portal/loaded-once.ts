import { reloadOnce } from "../kit/recovery";

/** A module that is loaded later. If an update of the site has removed it, the page is reloaded once. */
export async function loadedOnce<Module>(module: Promise<Module>): Promise<Module> {
  try {
    return await module;
  } catch (error) {
    if (await reloadOnce()) return new Promise<never>(() => {});
    throw error;
  }
}
