import { chromium } from "playwright-core";
const [pw, ...rest] = process.argv.slice(2);
const base = "http://127.0.0.1:8815";
const b = await chromium.launch({executablePath:"/usr/bin/chromium",args:["--no-sandbox"]});
for (const [w,h] of [[390,844],[1440,900]]) {
  const c = await b.newContext({ viewport: { width: w, height: h }, hasTouch: w<500, isMobile: w<500 });
  const p = await c.newPage();
  for (const path of ["/sponsors","/contact","/terms","/apply-speaker","/404x","/apply-judge"]) {
    await p.goto(base+path, { waitUntil: "load" });
    await p.evaluate(()=>window.scrollTo(0, document.body.scrollHeight)); await p.waitForTimeout(300);
    const band = p.locator(".pass-band"); 
    if (await band.count()) { await band.scrollIntoViewIfNeeded(); const box = await band.boundingBox(); const y = await p.evaluate(()=>scrollY); await p.evaluate(y=>scrollTo(0,y), Math.max(0, y+box.y-h*0.6)); await p.waitForTimeout(300);}
    await p.screenshot({ path: `/tmp/f15/pics/${path.slice(1)}-${w}.png` });
  }
  await c.close();
}
await b.close();
