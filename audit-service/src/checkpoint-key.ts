import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** A fresh Ed25519 key for checkpoints, both halves as PEM. Keep the public half where the database's owner cannot write. */
export function generateCheckpointKey(): { privatePem: string; publicPem: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }) as string,
  };
}

export function readPrivateKey(pem: string): KeyObject {
  return onlyEd25519(createPrivateKey(pem));
}

/** All keys of a PEM file; after a rotation the old public keys stay in it beside the new one. */
export function readPublicKeys(pem: string): KeyObject[] {
  const blocks = pem.match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? [];
  if (blocks.length === 0) throw new Error('The file has no public key in PEM form.');
  return blocks.map((block) => onlyEd25519(createPublicKey(block)));
}

function onlyEd25519(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('A key for checkpoints has to be an Ed25519 key.');
  return key;
}
