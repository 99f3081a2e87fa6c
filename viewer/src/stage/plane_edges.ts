/** Planes that are seen exactly from their edge: a line, hatched on the side that is solid, as on a drawing. */

import { Quaternion, Vector3 } from 'three';
import type { Drawing } from './arrows';
import { stageColours } from './colours';
import { project } from './overlay';

/** Cosine of the angle between the line of sight and a plane below which the plane vanishes. */
const edgeOn = 2e-3;
const hatchStep = 12;
const hatchLength = 9;

export function drawPlaneEdges(drawing: Drawing): void {
  const { view, camera } = drawing;
  const sight = new Vector3();
  camera.camera.getWorldDirection(sight);
  view.film.scene.objects.forEach(({ shape }, object) => {
    if (shape.kind !== 'plane') return;
    const normal = new Vector3(0, 0, 1).applyQuaternion(view.poses.orientation(object, new Quaternion()));
    if (Math.abs(normal.dot(sight)) > edgeOn) return;
    drawEdge(drawing, view.placeOf(object, new Vector3()), normal, normal.clone().cross(sight).normalize());
  });
}

/** The line through a point of the drawn world, near what is looked at. */
function drawEdge(drawing: Drawing, point: Vector3, normal: Vector3, along: Vector3): void {
  const { context, field, camera, theme } = drawing;
  const { centre } = camera.focus;
  const middle = point.clone().addScaledVector(along, centre.clone().sub(point).dot(along));
  const at = project(middle, camera.camera, field);
  const beyond = project(middle.clone().addScaledVector(along, 0.1), camera.camera, field);
  const outside = project(middle.clone().addScaledVector(normal, 0.1), camera.camera, field);
  if (at === null || beyond === null || outside === null) return;
  const length = Math.hypot(beyond.x - at.x, beyond.y - at.y);
  if (length < 1e-6) return;
  const [ux, uy] = [(beyond.x - at.x) / length, (beyond.y - at.y) / length];
  const free = Math.hypot(outside.x - at.x, outside.y - at.y) || 1;
  const [nx, ny] = [(outside.x - at.x) / free, (outside.y - at.y) / free];
  const reach = field.width + field.height;
  const path = new Path2D();
  path.moveTo(at.x - reach * ux, at.y - reach * uy);
  path.lineTo(at.x + reach * ux, at.y + reach * uy);
  // The hatch belongs to the plane: it moves with it, not with the camera.
  const origin = project(point, camera.camera, field) ?? at;
  const along0 = (origin.x - at.x) * ux + (origin.y - at.y) * uy;
  for (let s = (along0 % hatchStep) - hatchStep * Math.ceil(reach / hatchStep); s < reach; s += hatchStep) {
    const [x, y] = [at.x + s * ux, at.y + s * uy];
    path.moveTo(x, y);
    path.lineTo(x - hatchLength * (nx + 0.7 * ux), y - hatchLength * (ny + 0.7 * uy));
  }
  context.strokeStyle = stageColours[theme].planeLine;
  context.lineWidth = 1.2;
  context.stroke(path);
}
