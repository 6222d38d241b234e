import express, { type Router } from 'express';
import { limiterAddress } from '../client-address.ts';
import type { RateLimiter } from '../rate-limit.ts';

/** Before everything that readers load, counted together for one address: pages and their files, and previews. */
export function limitReaders(limiter: RateLimiter): Router {
  const router = express.Router();
  router.use(['/sites', '/preview'], async (request, _response, next) => {
    await limiter.take('page', limiterAddress(request.ip));
    next();
  });
  return router;
}
