/** The hashed addresses of the client build, known to the server bundle only. */
declare module "virtual:assets" {
  export const assets: {
    style: string;
    /** Starts the modules. */
    boot: string;
    /** The fonts that every page preloads. */
    fonts: string[];
    /** Preloaded too by a page that has something in italics. */
    italic: string;
    /** The modules of the site's frame, the first of which starts it. */
    client: string[];
    /** Page id to all the modules of a page that the browser renders itself. */
    modules: Record<string, string[]>;
    /** Island to its modules. */
    islands: Record<string, string[]>;
    /** Page id to the style sheet that only this page needs. */
    pageStyles: Record<string, string>;
    setupStyle: string;
  };
}

/** Each page of `pages/`, with what its `page.server.tsx` exports; known to the server bundle only. */
declare module "virtual:pages" {
  import type { PageData, PageModule } from "../lib/page";
  import type { PageName } from "./pages";
  export const serverPages: Record<PageName, PageModule & PageData>;
}

declare module "*.svg" {
  const address: string;
  export default address;
}

declare module "*.css";
