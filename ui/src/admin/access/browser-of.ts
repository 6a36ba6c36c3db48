const browsers = [["Edg/", "Edge"], ["OPR/", "Opera"], ["Firefox/", "Firefox"], ["CriOS/", "Chrome"], ["HeadlessChrome/", "Chrome"], ["Chrome/", "Chrome"], ["Safari/", "Safari"], ["curl/", "curl"]] as const;
const systems = [["iPhone", "iPhone"], ["iPad", "iPad"], ["Android", "Android"], ["Windows", "Windows"], ["Mac OS X", "Mac"], ["Linux", "Linux"]] as const;

/** The browser and system that a `User-Agent` header names, such as "Firefox on Windows". A client can send any text there. */
export function browserOf(agent: string | null): string {
  if (!agent) return "Unknown client";
  const nameIn = (names: readonly (readonly [string, string])[]) => names.find(([mark]) => agent.includes(mark))?.[1];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  if (!browser) return agent.slice(0, 60);
  return system ? `${browser} on ${system}` : browser;
}
