"""The words of the scene file as methods of a scene. Made by python/generate/scene_words.py; change nothing here."""

from __future__ import annotations

from typing import Any, Dict, Optional, Sequence, Union

import numpy.typing as npt

from ._shapes import Shape

Numbers = Union[Sequence[float], npt.ArrayLike]


class SceneWords:
    """What can be added to a scene, key by key. Keys that are None are left out; nothing is checked before the scene
    is: `check`, or the first run, says what is wrong."""

    def _add(self, section: str, entry: Dict[str, Any]) -> None:
        raise NotImplementedError

    def _put(self, section: str, entry: Dict[str, Any]) -> None:
        raise NotImplementedError

    def set_world(
        self,
        *,
        gravity: Optional[Numbers] = None,
    ) -> None:
        """What is around.

        gravity : acceleration of free fall [m/s²]
        """
        self._put(
            "world",
            {
                "gravity": gravity,
            },
        )

    def set_camera(
        self,
        *,
        view: Optional[str] = None,
        direction: Optional[Numbers] = None,
        centre: Optional[Numbers] = None,
        height: Optional[float] = None,
        perspective: Optional[bool] = None,
        follow: Optional[str] = None,
    ) -> None:
        """Where the viewer and pictures look from.

        view : where to look from; this or direction (iso, front, side, top)
        direction : from the scene to the camera; this or view
        centre : middle of what is seen [m]
        height : of what is seen at the centre [m]
        perspective : far things are smaller
        follow : the body that the camera goes with
        """
        self._put(
            "camera",
            {
                "view": view,
                "direction": direction,
                "centre": centre,
                "height": height,
                "perspective": perspective,
                "follow": follow,
            },
        )

    def set_run(
        self,
        *,
        engine: Optional[str] = None,
        law: Optional[str] = None,
        integrator: Optional[str] = None,
        rtol: Optional[float] = None,
        step: Optional[float] = None,
        max_step: Optional[float] = None,
        duration: Optional[float] = None,
        output_step: Optional[float] = None,
        max_events: Optional[int] = None,
        contact_tolerance: Optional[float] = None,
        integration_tolerance: Optional[float] = None,
        settle_speed: Optional[float] = None,
        stop_at_rest: Optional[bool] = None,
        rest_speed: Optional[float] = None,
        constraint_method: Optional[str] = None,
        baumgarte_rate: Optional[float] = None,
        clusters: Optional[bool] = None,
        event_location: Optional[bool] = None,
        settle: Optional[bool] = None,
        seed: Optional[int] = None,
    ) -> None:
        """How the scene is run.

        engine : how the scene is moved (event, smooth)
        law : impact law, as `carom laws` lists them
        integrator : method of integration (dormand-prince, dormand-prince-853, adams, velocity-verlet)
        rtol : error of a step relative to the penetrations and speeds of its contacts
        step : size of the steps of integrators without step control [s]
        max_step : longest step within a contact [s]
        duration : model time to run [s]
        output_step : time between samples; at least 1e-8 of the duration [s]
        max_events : impacts after which the run stops
        contact_tolerance : gap of a closed contact, relative to the smaller body
        integration_tolerance : error of integrated motion relative to sizes and speeds
        settle_speed : slower impacts within pressed clusters are plastic; 0: none are [m/s]
        stop_at_rest : whether to stop as soon as no body changes its place
        rest_speed : speed below which a body rests [m/s]
        constraint_method : how rods and rolling are kept (lagrange, baumgarte, projection)
        baumgarte_rate : α = β of the feedback of the method baumgarte [1/s]
        clusters : whether only bodies that touch share their steps; false: all do, for comparison
        event_location : whether the instants of contact are located; false: noticed after a step, for
            comparison
        settle : whether bodies that rest on an obstacle begin at the depth that bears them
        seed : seed of every [[fill]], [[rack]] and [[cradle]] that names none
        """
        self._put(
            "run",
            {
                "engine": engine,
                "law": law,
                "integrator": integrator,
                "rtol": rtol,
                "step": step,
                "max_step": max_step,
                "duration": duration,
                "output_step": output_step,
                "max_events": max_events,
                "contact_tolerance": contact_tolerance,
                "integration_tolerance": integration_tolerance,
                "settle_speed": settle_speed,
                "stop_at_rest": stop_at_rest,
                "rest_speed": rest_speed,
                "constraint_method": constraint_method,
                "baumgarte_rate": baumgarte_rate,
                "clusters": clusters,
                "event_location": event_location,
                "settle": settle,
                "seed": seed,
            },
        )

    def add_material(
        self,
        name: str,
        *,
        young: Optional[float] = None,
        poisson: Optional[float] = None,
    ) -> None:
        """A material.

        name : how bodies and pairs refer to it
        young : Young's modulus [Pa]
        poisson : Poisson's ratio
        """
        self._add(
            "material",
            {
                "name": name,
                "young": young,
                "poisson": poisson,
            },
        )

    def add_pair(
        self,
        *,
        materials: Optional[Sequence[str]] = None,
        restitution: Optional[Any] = None,
        rough: Optional[bool] = None,
        tangential_restitution: Optional[float] = None,
        normal: Optional[str] = None,
        stiffness: Optional[float] = None,
        exponent: Optional[float] = None,
        reference_speed: Optional[float] = None,
        relaxation_time: Optional[float] = None,
        active: Optional[str] = None,
        friction: Optional[Any] = None,
        friction_smooth: Optional[Any] = None,
        quasi_static: Optional[bool] = None,
    ) -> None:
        """What happens where two materials meet.

        materials : the two materials, twice the same for one among itself
        restitution : e of the impact laws, nominal c of the force laws: a number, or a table of the speed
            of approach, see `restitution` below
        rough : no slip during an impact, and sticking contact
        tangential_restitution : e_t of a rough pair
        normal : normal force law, as `carom laws` lists them
        stiffness : Hertz stiffness K, relative weight in the law `compliant`
        exponent : n of K δⁿ; other than 1.5 only with a stiffness
        reference_speed : impact speed for laws that need one [m/s]
        relaxation_time : A of the law kuwabara-kono, instead of a restitution [s]
        active : contacts can begin only while this holds: `after 0.1`, or two quantities of [[when]], or
            one and a number, with < or > between them
        friction : friction law and its parameters; `event` uses the coefficients of `coulomb`
        friction_smooth : friction law under `smooth`, in place of `friction`
        quasi_static : a ball on a plane at rest keeps its height, and the normal force follows from balance
        """
        self._add(
            "pair",
            {
                "materials": materials,
                "restitution": restitution,
                "rough": rough,
                "tangential_restitution": tangential_restitution,
                "normal": normal,
                "stiffness": stiffness,
                "exponent": exponent,
                "reference_speed": reference_speed,
                "relaxation_time": relaxation_time,
                "active": active,
                "friction": friction,
                "friction_smooth": friction_smooth,
                "quasi_static": quasi_static,
            },
        )

    def add_body(
        self,
        name: str,
        *,
        shape: Optional[Union[Shape, Dict[str, Any]]] = None,
        mass: Optional[float] = None,
        density: Optional[float] = None,
        inertia: Optional[Any] = None,
        centre_of_mass: Optional[Numbers] = None,
        material: Optional[str] = None,
        colour: Optional[str] = None,
        groups: Optional[Sequence[str]] = None,
        avoid: Optional[Sequence[str]] = None,
        position: Optional[Numbers] = None,
        orientation: Optional[Any] = None,
        velocity: Optional[Numbers] = None,
        position_of: Optional[str] = None,
        angular_velocity: Optional[Numbers] = None,
        angular_velocity_body: Optional[Numbers] = None,
    ) -> None:
        """A rigid body.

        name : unique among all objects
        shape : kind and sizes
        mass : mass; this or density [kg]
        density : mass per volume; this or mass [kg/m³]
        inertia : about the centre of mass: three principal moments along the axes of the shape, or nine
            numbers, the tensor in the axes of the shape row by row [kg m²]
        centre_of_mass : where it is in the frame of the shape [m]
        material : name of a [[material]]
        colour : in pictures: `#rrggbb`, red, green and blue in hexadecimal
        groups : names of groups that it belongs to
        avoid : names of groups that it does not meet, whichever of the two names the other
        position : where the body is: origin of the shape's frame, or centre of mass [m]
        orientation : turns body vectors into world vectors; one of the keys below
        velocity : velocity of that point [m/s]
        position_of : the point that `position` and `velocity` are those of (shape, centre_of_mass)
        angular_velocity : angular velocity, world frame [rad/s]
        angular_velocity_body : the same in the body frame [rad/s]
        """
        self._add(
            "body",
            {
                "name": name,
                "shape": shape,
                "mass": mass,
                "density": density,
                "inertia": inertia,
                "centre_of_mass": centre_of_mass,
                "material": material,
                "colour": colour,
                "groups": groups,
                "avoid": avoid,
                "position": position,
                "orientation": orientation,
                "velocity": velocity,
                "position_of": position_of,
                "angular_velocity": angular_velocity,
                "angular_velocity_body": angular_velocity_body,
            },
        )

    def add_plane(
        self,
        name: str,
        *,
        normal: Optional[Numbers] = None,
        point: Optional[Numbers] = None,
        material: Optional[str] = None,
        colour: Optional[str] = None,
        groups: Optional[Sequence[str]] = None,
        avoid: Optional[Sequence[str]] = None,
        velocity: Optional[Numbers] = None,
        angular_velocity: Optional[Numbers] = None,
        motion: Optional[Any] = None,
    ) -> None:
        """A fixed or driven half-space.

        name : unique among all objects
        normal : points to the free side, any length
        point : a point of the plane [m]
        material : name of a [[material]]
        colour : in pictures: `#rrggbb`, red, green and blue in hexadecimal
        groups : names of groups that it belongs to
        avoid : names of groups that it does not meet, whichever of the two names the other
        velocity : constant velocity of a driven plane [m/s]
        angular_velocity : constant spin about `point` [rad/s]
        motion : how it is driven, in place of velocity and angular_velocity
        """
        self._add(
            "plane",
            {
                "name": name,
                "normal": normal,
                "point": point,
                "material": material,
                "colour": colour,
                "groups": groups,
                "avoid": avoid,
                "velocity": velocity,
                "angular_velocity": angular_velocity,
                "motion": motion,
            },
        )

    def add_obstacle(
        self,
        name: str,
        *,
        shape: Optional[Union[Shape, Dict[str, Any]]] = None,
        position: Optional[Numbers] = None,
        orientation: Optional[Any] = None,
        material: Optional[str] = None,
        colour: Optional[str] = None,
        groups: Optional[Sequence[str]] = None,
        avoid: Optional[Sequence[str]] = None,
        velocity: Optional[Numbers] = None,
        angular_velocity: Optional[Numbers] = None,
        motion: Optional[Any] = None,
    ) -> None:
        """A fixed or driven shape.

        name : unique among all objects
        shape : kind and sizes
        position : origin of the shape's frame [m]
        orientation : turns body vectors into world vectors; one of the keys below
        material : name of a [[material]]
        colour : in pictures: `#rrggbb`, red, green and blue in hexadecimal
        groups : names of groups that it belongs to
        avoid : names of groups that it does not meet, whichever of the two names the other
        velocity : constant velocity of a driven obstacle [m/s]
        angular_velocity : constant spin about `position` [rad/s]
        motion : how it is driven, in place of velocity and angular_velocity
        """
        self._add(
            "obstacle",
            {
                "name": name,
                "shape": shape,
                "position": position,
                "orientation": orientation,
                "material": material,
                "colour": colour,
                "groups": groups,
                "avoid": avoid,
                "velocity": velocity,
                "angular_velocity": angular_velocity,
                "motion": motion,
            },
        )

    def add_constraint(
        self,
        *,
        kind: Optional[str] = None,
        body: Optional[str] = None,
        plane: Optional[str] = None,
        pivot: Optional[Numbers] = None,
        length: Optional[float] = None,
        normal: Optional[Numbers] = None,
    ) -> None:
        """A persistent constraint.

        kind : which of its kinds it is
        body : the body that rolls
        plane : the [[plane]] it rolls on
        pivot : the fixed end [m]
        length : distance of the centre from the pivot [m]
        normal : the only axis it turns about, and does not move along
        """
        self._add(
            "constraint",
            {
                "kind": kind,
                "body": body,
                "plane": plane,
                "pivot": pivot,
                "length": length,
                "normal": normal,
            },
        )

    def add_joint(
        self,
        *,
        kind: Optional[str] = None,
        name: Optional[str] = None,
        bodies: Optional[Sequence[str]] = None,
        point: Optional[Numbers] = None,
        anchors: Optional[Numbers] = None,
        spring: Optional[Any] = None,
        friction: Optional[Any] = None,
        motor: Optional[Any] = None,
        collide: Optional[bool] = None,
        axis: Optional[Numbers] = None,
        start_deg: Optional[float] = None,
        limits_deg: Optional[Numbers] = None,
        restitution: Optional[Any] = None,
        limit_stiffness: Optional[float] = None,
        axes: Optional[Numbers] = None,
        start: Optional[float] = None,
        limits: Optional[Numbers] = None,
        length: Optional[float] = None,
        joints: Optional[Sequence[str]] = None,
        ratio: Optional[float] = None,
    ) -> None:
        """Holds two bodies, or a body and the ground, together.

        kind : which of its kinds it is
        name : unique among all objects
        bodies : two bodies, or one: to the ground
        point : where it is as placed, in the world; this or anchors [m]
        anchors : where it is in the frames of the two shapes; with one body the second in world coordinates
            [m]
        spring : a spring and damper on the coordinate of a joint
        friction : dry friction of constant size on the coordinate of a joint
        motor : what drives the coordinate of a joint; its work is booked as motor_work
        collide : whether its two bodies meet each other
        axis : as placed, in the world, any length
        start_deg : angle as placed, of the first body against the second
        limits_deg : least and largest angle, whole turns counted
        restitution : of the limits, as that of a pair
        limit_stiffness : of the limits where they give way, N m/rad or N/m
        axes : of the first body and of the second, as placed, in the world, perpendicular
        start : shift as placed, of the first body against the second [m]
        limits : least and largest shift [m]
        length : distance of the anchors [m]
        joints : two joints that turn about one axis each
        ratio : turns of the first joint for one of the second; negative where they turn against each other,
            as wheels that mesh outside do
        """
        self._add(
            "joint",
            {
                "kind": kind,
                "name": name,
                "bodies": bodies,
                "point": point,
                "anchors": anchors,
                "spring": spring,
                "friction": friction,
                "motor": motor,
                "collide": collide,
                "axis": axis,
                "start_deg": start_deg,
                "limits_deg": limits_deg,
                "restitution": restitution,
                "limit_stiffness": limit_stiffness,
                "axes": axes,
                "start": start,
                "limits": limits,
                "length": length,
                "joints": joints,
                "ratio": ratio,
            },
        )

    def add_spring(
        self,
        *,
        bodies: Optional[Sequence[str]] = None,
        points: Optional[Numbers] = None,
        stiffness: Optional[float] = None,
        damping: Optional[float] = None,
        rest_length: Optional[float] = None,
    ) -> None:
        """A linear spring and damper between two points.

        bodies : two bodies, or one and a fixed point
        points : its ends in the frames of the shapes; with one body the second in world coordinates [m]
        stiffness : k: tension k(ℓ − ℓ₀) + c dℓ/dt [N/m]
        damping : c [N s/m]
        rest_length : ℓ₀ [m]
        """
        self._add(
            "spring",
            {
                "bodies": bodies,
                "points": points,
                "stiffness": stiffness,
                "damping": damping,
                "rest_length": rest_length,
            },
        )

    def add_load(
        self,
        *,
        body: Optional[str] = None,
        force: Optional[Numbers] = None,
        torque: Optional[Numbers] = None,
        damping: Optional[float] = None,
        angular_damping: Optional[float] = None,
    ) -> None:
        """Constant force and torque, and resistance.

        body : the body it acts on
        force : constant, world frame, at the centre of mass [N]
        torque : constant, world frame [N m]
        damping : c: resistance −c v [N s/m]
        angular_damping : c: resistance −c ω [N m s]
        """
        self._add(
            "load",
            {
                "body": body,
                "force": force,
                "torque": torque,
                "damping": damping,
                "angular_damping": angular_damping,
            },
        )

    def add_fill(
        self,
        name: str,
        *,
        count: Optional[int] = None,
        shape: Optional[Union[Shape, Dict[str, Any]]] = None,
        scale: Optional[Any] = None,
        mass: Optional[Any] = None,
        density: Optional[Any] = None,
        material: Optional[str] = None,
        groups: Optional[Sequence[str]] = None,
        avoid: Optional[Sequence[str]] = None,
        box: Optional[Numbers] = None,
        jitter: Optional[float] = None,
        temperature: Optional[float] = None,
        speed: Optional[float] = None,
        seed: Optional[int] = None,
        changes: Optional[Sequence[Any]] = None,
    ) -> None:
        """Many bodies at once, arranged without overlap.

        name : its bodies are called NAME-0, NAME-1, …
        count : number of bodies
        shape : kind and sizes
        scale : by which the lengths of the shape are multiplied, for sizes that differ
        mass : mass; this or density [kg]
        density : mass per volume; this or mass [kg/m³]
        material : name of a [[material]]
        groups : names of groups that it belongs to
        avoid : names of groups that it does not meet, whichever of the two names the other
        box : opposite corners of the box that holds them [m]
        jitter : how much of the room between lattice places is used at random
        temperature : Maxwell's velocities with ⟨m v²⟩ = 3 T; this or speed [J]
        speed : root mean square speed, random directions; this or temperature [m/s]
        seed : of the random numbers
        changes : tables with the `name` of one of its bodies and the keys of [[body]] that it has instead;
            --set body.NAME-3.mass=2 writes one
        """
        self._add(
            "fill",
            {
                "name": name,
                "count": count,
                "shape": shape,
                "scale": scale,
                "mass": mass,
                "density": density,
                "material": material,
                "groups": groups,
                "avoid": avoid,
                "box": box,
                "jitter": jitter,
                "temperature": temperature,
                "speed": speed,
                "seed": seed,
                "changes": changes,
            },
        )

    def add_rack(
        self,
        name: str,
        *,
        rows: Optional[int] = None,
        shape: Optional[Union[Shape, Dict[str, Any]]] = None,
        scale: Optional[Any] = None,
        mass: Optional[Any] = None,
        density: Optional[Any] = None,
        material: Optional[str] = None,
        groups: Optional[Sequence[str]] = None,
        avoid: Optional[Sequence[str]] = None,
        apex: Optional[Numbers] = None,
        direction: Optional[Numbers] = None,
        up: Optional[Numbers] = None,
        gap: Optional[float] = None,
        random_gap: Optional[float] = None,
        seed: Optional[int] = None,
        planar: Optional[bool] = None,
        changes: Optional[Sequence[Any]] = None,
    ) -> None:
        """A triangle of balls.

        name : its balls are called NAME-1, NAME-2, …, row after row
        rows : rows of the triangle; row r has r balls
        shape : a sphere
        scale : by which the lengths of the shape are multiplied, for sizes that differ
        mass : mass; this or density [kg]
        density : mass per volume; this or mass [kg/m³]
        material : name of a [[material]]
        groups : names of groups that it belongs to
        avoid : names of groups that it does not meet, whichever of the two names the other
        apex : centre of the first ball [m]
        direction : along which the rows follow
        up : across the plane of the triangle
        gap : α between neighbours [m]
        random_gap : every ball is moved at random within the plane by up to half of this, which is at most
            `gap` [m]
        seed : of the random numbers
        planar : whether each ball has a planar constraint across `up`
        changes : tables with the `name` of one of its bodies and the keys of [[body]] that it has instead;
            --set body.NAME-3.mass=2 writes one
        """
        self._add(
            "rack",
            {
                "name": name,
                "rows": rows,
                "shape": shape,
                "scale": scale,
                "mass": mass,
                "density": density,
                "material": material,
                "groups": groups,
                "avoid": avoid,
                "apex": apex,
                "direction": direction,
                "up": up,
                "gap": gap,
                "random_gap": random_gap,
                "seed": seed,
                "planar": planar,
                "changes": changes,
            },
        )

    def add_cradle(
        self,
        name: str,
        *,
        count: Optional[int] = None,
        shape: Optional[Union[Shape, Dict[str, Any]]] = None,
        scale: Optional[Any] = None,
        mass: Optional[Any] = None,
        density: Optional[Any] = None,
        material: Optional[str] = None,
        groups: Optional[Sequence[str]] = None,
        avoid: Optional[Sequence[str]] = None,
        pivot: Optional[Numbers] = None,
        length: Optional[float] = None,
        direction: Optional[Numbers] = None,
        up: Optional[Numbers] = None,
        gap: Optional[float] = None,
        raised: Optional[int] = None,
        angle_deg: Optional[float] = None,
        changes: Optional[Sequence[Any]] = None,
    ) -> None:
        """Balls on rods in a row.

        name : its balls are called NAME-1, NAME-2, …
        count : number of balls
        shape : a sphere
        scale : by which the lengths of the shape are multiplied, for sizes that differ
        mass : mass; this or density [kg]
        density : mass per volume; this or mass [kg/m³]
        material : name of a [[material]]
        groups : names of groups that it belongs to
        avoid : names of groups that it does not meet, whichever of the two names the other
        pivot : where the first ball hangs [m]
        length : from a pivot to the centre of its ball [m]
        direction : along which the pivots follow
        up : against which the balls hang
        gap : between neighbours [m]
        raised : how many of the first balls are swung out
        angle_deg : by which they are, away from the row
        changes : tables with the `name` of one of its bodies and the keys of [[body]] that it has instead;
            --set body.NAME-3.mass=2 writes one
        """
        self._add(
            "cradle",
            {
                "name": name,
                "count": count,
                "shape": shape,
                "scale": scale,
                "mass": mass,
                "density": density,
                "material": material,
                "groups": groups,
                "avoid": avoid,
                "pivot": pivot,
                "length": length,
                "direction": direction,
                "up": up,
                "gap": gap,
                "raised": raised,
                "angle_deg": angle_deg,
                "changes": changes,
            },
        )

    def add_shot(
        self,
        *,
        body: Optional[str] = None,
        speed: Optional[float] = None,
        direction_deg: Optional[float] = None,
        direction: Optional[Numbers] = None,
        up: Optional[Numbers] = None,
        elevation_deg: Optional[float] = None,
        tip_offset: Optional[Numbers] = None,
    ) -> None:
        """A cue strikes a ball at the start.

        body : the ball that is struck, at rest till then
        speed : impulse per mass: the speed of the centre after a level shot [m/s]
        direction_deg : where to, in the plane across `up` from the x axis; this or direction
        direction : the same as a vector, taken across `up`
        up : away from the table
        elevation_deg : by which the cue is raised: the impulse points down by it
        tip_offset : where the tip strikes, to the right of and above the centre of the ball's face as seen
            along the cue [m]
        """
        self._add(
            "shot",
            {
                "body": body,
                "speed": speed,
                "direction_deg": direction_deg,
                "direction": direction,
                "up": up,
                "elevation_deg": elevation_deg,
                "tip_offset": tip_offset,
            },
        )

    def add_when(
        self,
        name: str,
        *,
        time: Optional[float] = None,
        impact: Optional[Sequence[str]] = None,
        count: Optional[int] = None,
        quantity: Optional[str] = None,
        value: Optional[float] = None,
        value_deg: Optional[float] = None,
        direction: Optional[str] = None,
        release: Optional[Sequence[str]] = None,
        impulse: Optional[Any] = None,
        motor: Optional[Any] = None,
        stop: Optional[bool] = None,
    ) -> None:
        """What happens once, at a time, at an impact or when a quantity crosses a value.

        name : what the event is called
        time : at a time; this, impact or quantity [s]
        impact : at an impact of these two objects, or of this joint on one of its limits
        count : at which of their impacts
        quantity : when a number crosses a value: `coordinate.JOINT`, `rate.JOINT`, `position.BODY.x|y|z`,
            `velocity.BODY.x|y|z`, `angular_velocity.BODY.x|y|z`; of two coordinates `coordinate.JOINT.0`,
            `.1`
        value : that is crossed, in SI units
        value_deg : the same of an angle, in degrees
        direction : in which it is crossed (rising, falling, either)
        release : joints that hold nothing from then on
        impulse : a sudden push, which joints of the body pass on
        motor : another motor on the coordinate of a joint, or none
        stop : whether the run stops
        """
        self._add(
            "when",
            {
                "name": name,
                "time": time,
                "impact": impact,
                "count": count,
                "quantity": quantity,
                "value": value,
                "value_deg": value_deg,
                "direction": direction,
                "release": release,
                "impulse": impulse,
                "motor": motor,
                "stop": stop,
            },
        )

    def add_pocket(
        self,
        name: str,
        *,
        position: Optional[Numbers] = None,
        radius: Optional[float] = None,
        axis: Optional[Numbers] = None,
    ) -> None:
        """A hole that swallows bodies.

        name : unique among all objects
        position : a point of its axis [m]
        radius : centres that come closer to the axis are swallowed [m]
        axis : its axis
        """
        self._add(
            "pocket",
            {
                "name": name,
                "position": position,
                "radius": radius,
                "axis": axis,
            },
        )

    def add_dent(
        self,
        *,
        on: Optional[str] = None,
        angle_deg: Optional[float] = None,
        direction: Optional[Numbers] = None,
        half_width_deg: Optional[float] = None,
        depth: Optional[float] = None,
    ) -> None:
        """A shallow hollow in a round surface.

        on : the body or obstacle, a sphere, cylinder, bore or shell
        angle_deg : where it is, about the object's z axis from its x axis; this or direction
        direction : where it is, in the object's frame; this or angle_deg
        half_width_deg : angle from its middle to its edge
        depth : at its middle: depth · (1 − (angle/half width)²)² [m]
        """
        self._add(
            "dent",
            {
                "on": on,
                "angle_deg": angle_deg,
                "direction": direction,
                "half_width_deg": half_width_deg,
                "depth": depth,
            },
        )
